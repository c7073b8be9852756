/** What is checked of the settings of webhooks, for programs that read them and may post none. */
export { isAddressRange } from './addresses.ts'
