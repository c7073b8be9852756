import type { FastifyRequest, RouteOptions } from 'fastify'
import { methodNotAllowed, problems, type Problem } from '../answers/problems.ts'
import { pathOf } from '../request/target.ts'

/** The paths of a plugin with the methods that each of them has. */
export interface RouteTable {
  /** The handler of the hook `onRoute`. */
  readonly add: (route: Pick<RouteOptions, 'method' | 'url'>) => void
  /** The 404 or 405 of a request without a route; `undefined` for one that has a route. */
  readonly problemOf: (request: FastifyRequest) => Problem | undefined
}

/**
 * Fastify's router has no 405: to it, a known path with another method is an unknown route. It also parses the body before its not-found
 * handler runs, so errors in the body would be answered first.
 */
export function createRouteTable(): RouteTable {
  const routes: { readonly path: RegExp; readonly methods: Set<string> }[] = []
  return {
    add({ method, url }) {
      // eslint-disable-next-line sotto/linear-patterns -- in a URL of ours, parameters stand between slashes
      const path = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`)
      const known = routes.find((route) => route.path.source === path.source)
      const methods = known?.methods ?? new Set()
      for (const name of [method].flat()) methods.add(name)
      if (known === undefined) routes.push({ path, methods })
    },
    problemOf(request) {
      // The router decodes in the same way: everything but reserved characters, so that %2F is not a slash.
      const path = decodeURI(pathOf(request.url))
      const route = routes.find((candidate) => candidate.path.test(path))
      if (route === undefined) return problems.unknownPath
      return route.methods.has(request.method) ? undefined : methodNotAllowed([...route.methods])
    },
  }
}
