/** A passkey as a browser sends it after it was made or used: each part in base64url without padding (RFC 4648, section 5). */
export interface SentPasskey {
  readonly credentialId: string
  /** The client data (WebAuthn 3, section 5.8.1): JSON in UTF-8. */
  readonly clientData: string
  /** The authenticator data (section 6.1). */
  readonly authenticatorData: string
}

/** A passkey that was used, as a browser sends it. */
export interface SentAssertion extends SentPasskey {
  readonly signature: string
  /** The account that the authenticator keeps the passkey for. */
  readonly userHandle: string
}

/** What client and authenticator say about a passkey that was made or used. Nothing of it is checked yet. */
export interface ReadPasskey {
  /** The id of the credential, 16 to 1,023 bytes. */
  readonly credentialId: Uint8Array
  /** `webauthn.create` or `webauthn.get`. */
  readonly type: string
  /** The challenge in base64url without padding. */
  readonly challenge: string
  readonly origin: string
  /** Whether it happened in a frame of another origin. */
  readonly isCrossOrigin: boolean
  /** Whether it is meant for the relying party id that was asked about. */
  readonly isForRelyingParty: boolean
  /** Whether somebody touched the authenticator. */
  readonly isUserPresent: boolean
  /** Whether the authenticator verified its user, by a PIN or a finger for example. */
  readonly isUserVerified: boolean
  /** Whether the passkey may be on several devices. */
  readonly isBackupEligible: boolean
  /** Whether the passkey is on several devices. */
  readonly isBackedUp: boolean
  /** How often the authenticator signed with it; 0 where it does not count. */
  readonly signCount: number
  /** The passkey that was made; `undefined` where one was used. */
  readonly attested: AttestedPasskey | undefined
}

/** A passkey that was made, as its authenticator describes it. */
export interface AttestedPasskey {
  /** The credential id, as in {@link ReadPasskey}. */
  readonly credentialId: Uint8Array
  /** DER of a SubjectPublicKeyInfo (RFC 5280): a key of P-256, Ed25519, or RSA with 2,048 to 4,096 bits. */
  readonly publicKey: Uint8Array
  /** The number of its algorithm (COSE, RFC 9053 and 8812): -7 (ES256), -8 (EdDSA) or -257 (RS256). */
  readonly algorithm: number
}

/** Reads what WebAuthn specifies, and verifies signatures. What may be accepted is decided above this port. No method throws. */
export interface PasskeyVerifier {
  /**
   * Reads a passkey that was made or used; `undefined` when any part is not exactly what WebAuthn specifies, or the key is of another kind
   * than {@link AttestedPasskey} names.
   * @param rpId the relying party id that {@link ReadPasskey.isForRelyingParty} is about
   */
  read(sent: SentPasskey, rpId: string): ReadPasskey | undefined

  /**
   * Whether the key signed this authenticator data and client data: with ECDSA and SHA-256 (ES256) for P-256, with Ed25519 (EdDSA), or with
   * RSASSA-PKCS1-v1_5 and SHA-256 (RS256), as the kind of the key says. False for a key or signature that cannot be read.
   * @param publicKey as in {@link AttestedPasskey}
   */
  isSigned(assertion: SentAssertion, publicKey: Uint8Array): boolean
}
