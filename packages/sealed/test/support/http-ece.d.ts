declare module 'http_ece' {
  interface Parameters {
    readonly version: 'aes128gcm'
    readonly key?: Buffer
    readonly salt?: string
    readonly rs?: number
    readonly pad?: number
    readonly privateKey?: import('node:crypto').ECDH
    readonly dh?: Buffer
    readonly authSecret?: Buffer
  }
  export function encrypt(plain: Buffer, parameters: Parameters): Buffer
  export function decrypt(sealed: Buffer, parameters: Parameters): Buffer
}
