import { bindAll, result, type MethodsOf, type PortsOf, account } from '@sotto/core/building-blocks'
import { showAuthenticators } from './account-authenticators.ts'

const useCases = { showAuthenticators: result(showAuthenticators, account) }

const methods: MethodsOf<typeof useCases> = {
  textCipher: { decryptText: true },
  passwords: { authenticators: true },
}

/** What {@link createAuthenticators} binds its use-cases to. */
export interface AuthenticatorsOptions {
  readonly ports: PortsOf<typeof useCases>
}

/** What an account's owner can sign in with. Throws a TypeError when a method of a port is missing. */
export function createAuthenticators({ ports }: AuthenticatorsOptions) {
  return bindAll(useCases, methods, ports)
}
