import type { FastifyRequest, RouteOptions } from 'fastify'
import { methodNotAllowed, refusals, type Refusal } from './refusals.ts'
import { pathOf } from './request-target.ts'

/** The paths of a plugin and the methods that each of them knows. */
export interface RouteTable {
  /** For the hook `onRoute`. */
  readonly add: (route: Pick<RouteOptions, 'method' | 'url'>) => void
  /** The 404 or 405 of a request that leads to no route; `undefined` for one that does. */
  readonly refusalOf: (request: FastifyRequest) => Refusal | undefined
}

/**
 * Fastify's router knows no 405: a known path with another method is an unknown route to it. And it parses the body before its
 * handler of unknown routes runs, so a body's faults would be told first.
 */
export function createRouteTable(): RouteTable {
  const routes: { readonly path: RegExp; readonly methods: Set<string> }[] = []
  return {
    add({ method, url }) {
      const path = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`)
      const known = routes.find((route) => route.path.source === path.source)
      const methods = known?.methods ?? new Set()
      for (const name of [method].flat()) methods.add(name)
      if (known === undefined) routes.push({ path, methods })
    },
    refusalOf(request) {
      // The router decodes the same way: all but the reserved characters, so that %2F is no slash.
      const path = decodeURI(pathOf(request.url))
      const route = routes.find((candidate) => candidate.path.test(path))
      if (route === undefined) return refusals.unknownPath
      return route.methods.has(request.method) ? undefined : methodNotAllowed([...route.methods])
    },
  }
}
