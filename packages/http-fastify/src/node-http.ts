/**
 * The module `node:http`. An import of its values would make Node read every export of it, and so load its fetch and its WebSocket
 * client, which nobody here needs: a tenth of the time that a server takes to start, and several MiB for good.
 */
export const http = process.getBuiltinModule('node:http')
