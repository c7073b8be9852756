/**
 * A client of Sotto's API and links: `createClient` for an account's folders and secrets, `openLink` for whoever has the link of a secret,
 * `answerRequest` for whoever has that of a request. It uses `fetch` and nothing else, so it runs in Node.js, browsers, Deno and Bun.
 */
export type { AnswerOptions } from './answer-request.ts'
export { answerRequest } from './answer-request.ts'
export { bareLink } from './bare-link.ts'
export type { CallOptions, Client, ClientOptions, CreateOptions, List } from './client.ts'
export { createClient } from './client.ts'
export type { SottoErrorCode } from './errors.ts'
export { SottoError } from './errors.ts'
export type { AnswerReceipt, Folder, NewSecret, OpenedSecret, Secret } from './objects.ts'
export type { OpenedFile } from './opened-file.ts'
export type { OpenOptions } from './open-link.ts'
export { openLink } from './open-link.ts'
