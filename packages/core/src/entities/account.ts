import type { Uuid } from './uuid.ts'

/** A user of the service: owns folders, secrets and access tokens. */
export interface Account {
  readonly id: Uuid
  /** Normalised by `normalizeEmail`. */
  readonly email: string
  readonly createdAtMicros: number
  /** Set when the account was disabled: its tokens are refused from then on. */
  readonly disabledAtMicros: number | undefined
}
