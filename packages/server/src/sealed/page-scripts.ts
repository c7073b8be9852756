import { sealedScripts as ofOwners } from '@sotto/dashboard-fastify'
import { sealedLinkPage, sealedScripts as ofLinks } from '@sotto/http-fastify'

// The commands that compare pages load this, and with it all pages. The others do without.

/** Every script that encrypts or decrypts in pages of this release, with its digest as a browser computes it. */
export const scripts = Object.entries({ ...ofLinks, ...ofOwners }).map(([name, { source }]) => ({
  name,
  digest: source.slice(1, -1),
}))

/** The page of a sealed link in this release, with the digest of its script. */
export const linkPage = { ...sealedLinkPage, script: ofLinks.link.source.slice(1, -1) }
