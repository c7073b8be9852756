/**
 * The module `node:http`. Importing its values would make Node read every export of it, and so load `fetch` and the WebSocket client. They
 * are needed at the first sign-in only, and cost a tenth of a server's start and several MiB of memory.
 */
export const http = process.getBuiltinModule('node:http')
