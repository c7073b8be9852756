/** What is checked of the settings of a server, for programs that read them and do not serve. */
export { isBareOrigin, isHostName } from './http/request/bare-origin.ts'
export { isTrustedProxy } from './http/request/addresses.ts'
