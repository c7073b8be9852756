import type { TSchema } from 'typebox'

/** The part of OpenAPI 3.1 that is used here. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    /** The license by its identifier of SPDX. */
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly Server[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, TSchema>>
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
}

export interface Server {
  readonly url: string
}

export const methods = ['get', 'head', 'post', 'delete'] as const
export type Method = (typeof methods)[number]

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  /** The servers of the operation instead of the document's. */
  readonly servers?: readonly Server[]
}

export interface Reference {
  readonly $ref: string
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly []
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: TSchema
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Content
}

export interface Header {
  readonly description: string
  /** False for a header that not every such answer has. */
  readonly required?: false
  readonly schema: TSchema
  readonly example?: unknown
}

export type Content = Readonly<Record<string, MediaType>>

export interface MediaType {
  readonly schema?: TSchema | Reference
  readonly example?: unknown
}

/** Every operation of a document with its place. */
export interface PlacedOperation {
  readonly path: string
  readonly method: Method
  readonly operation: Operation
  /** The servers of the operation. */
  readonly servers: readonly Server[]
}

export function operationsOf({ paths, servers }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, operation, servers: item.servers ?? servers }]
    }),
  )
}
