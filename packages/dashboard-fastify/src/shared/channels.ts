/** How messages leave the installation, as far as its pages show it. */
export interface Channels {
  /** Whether it sends mails. */
  readonly canMail: boolean
  /** Whether it posts to webhooks. */
  readonly canPost: boolean
}
