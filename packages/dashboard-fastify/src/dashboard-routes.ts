import { takesFiles, type Policy } from '@sotto/core'
import type { FastifyPluginAsync } from 'fastify'
import type { Authenticate, Origins } from '@sotto/http-fastify'
import { brandOf, type Branding, createLocalizer } from '@sotto/html'
import {
  logThrown,
  problemOfThrown,
  requireHttps,
  leaveBodiesUnread,
  keepConnection,
  fieldsMax,
  createEarlyProblem,
  trackClosing,
  checkRegistration,
  type FormBounds,
} from '@sotto/http-fastify/plugin'
import { addRoutes, elementScripts, proofsOf } from './routes.ts'
import type { Sealing } from './sealed/sealing.ts'
import type { DashboardUseCases } from './use-cases.ts'
import { admitHostUsers, admitSessions } from './sign-in/admission.ts'
import { createLater, type Later } from './shared/later.ts'
import { createRouter, sendStatus } from './shared/router.ts'
import { selectionMaxFields, selectionPath } from './shared/selection.ts'
import { createSessionCookie } from './sessions/cookies.ts'
import { createSso, longCallbacks } from './single-sign-on/sso.ts'
import { shownSingleSignOn, type SingleSignOn } from './single-sign-on/sso-attempt.ts'
import { dashboardTexts } from '@sotto/texts/dashboard'
import type { DashboardLocalizer, HostPages } from './shared/localized.ts'

/** What `dashboardRoutes` takes. */
export interface DashboardRoutesOptions extends Origins {
  /** The result of `createSotto`, or any object with these use-cases: you can wrap or replace single ones. */
  readonly sotto: DashboardUseCases
  /** How the service shows itself; as Sotto by default. */
  readonly branding?: Branding | undefined
  /** Whether audit lines in the log carry the client's network address; not by default. */
  readonly logAddresses?: boolean | undefined
  /** Whether the installation sends mails: whether `Ports.mailSender` is set. False by default: the pages say so, and an owner can
   * neither change the email address nor ask for a new password. */
  readonly canMail?: boolean | undefined
  /** Whether it posts to webhooks: whether `Ports.webhookSender` is set. False by default: no webhook can be added on the pages. */
  readonly canPost?: boolean | undefined
  /** Whether they offer to encrypt in the browser, so that the server cannot read it: `offer` by default. */
  readonly sealing?: Sealing | undefined
  /** Lets people sign in at the identity provider that `Ports.identityProvider` asks. Absent by default: then no page offers it. */
  readonly singleSignOn?: SingleSignOn | undefined
  /**
   * Does what follows the answer to somebody who forgot a password. By default that begins in this process after 2 to 12 seconds, at random, or
   * when the application closes: neither that answer nor the next ones tell whether there is an account.
   */
  readonly later?: Later | undefined
  /**
   * Finds out which user of your application sends a request, as for `apiRoutes`. Then nobody signs in here: `/`, `/login`, `/logout`,
   * `/welcome/…` and the pages for password, email, sessions and the deletion of the account are absent. The pages are for callers with
   * all scopes, and ask for no password: where you want a fresh re-authentication, look for it in this function.
   */
  readonly authenticate?: Authenticate | undefined
  /**
   * Where a visitor who is not signed in is sent, with `authenticate`; the path to come back to is added as `next`. By default a page with
   * 401.
   */
  readonly signInUrl?: string | undefined
  /** Where *Sign out* leads, with `authenticate`. It is not shown by default. */
  readonly signOutUrl?: string | undefined
}

/**
 * The owner's pages, for people with a browser, to be registered without a prefix:
 * `app.register(dashboardRoutes, { sotto, baseUrl, linkBaseUrl })`. They work without scripts and load nothing.
 *
 * Its paths are `/`, `/login`, `/login/passkey`, `/login/reset`, `/login/sso…` with `singleSignOn`, `/logout`, `/welcome/…`, `/confirm/…`,
 * `/dashboard`, `/secrets/…`, `/drafts`, `/drafts/…`, `/requests`, `/requests/…`, `/folders/…`, `/search`, `/settings/…` and `/help`. With two
 * different hosts they are paths of the host of `baseUrl` only.
 *
 * Rejects with a TypeError under a prefix, with an origin that is not bare, on an HTTP/2 server, and with `signInUrl` or `signOutUrl` but no
 * `authenticate`.
 */
// Async because an exception in a callback plugin escapes every try/catch, while Fastify reports the rejection of an async one.
// eslint-disable-next-line @typescript-eslint/require-await
export const dashboardRoutes: FastifyPluginAsync<DashboardRoutesOptions> = async (app, options) => {
  checkRegistration(app, 'dashboardRoutes', 'none')
  const {
    sotto,
    baseUrl,
    linkBaseUrl,
    logAddresses,
    canMail = false,
    canPost = false,
    sealing = 'offer',
    authenticate,
    singleSignOn,
    later = createLater(app),
  } = options
  const channels = { canMail, canPost }
  const localizedFor = localizerOf(options)
  const earlyProblem = createEarlyProblem(options, trackClosing(app), singleSignOn && longCallbacks)
  requireHttps(app, baseUrl)
  app.addHook('onRequest', async (request, reply) => {
    const problem = earlyProblem(request)
    return problem && sendStatus({ localizedFor }, request, reply, problem.status)
  })
  app.setErrorHandler(async (error, request, reply) => {
    const { status } = problemOfThrown(error)
    if (status >= 500) logThrown(request.log, error)
    keepConnection(reply)
    return sendStatus({ localizedFor }, request, reply, status)
  })
  const formBounds = (url: string): FormBounds => ({
    maxBytes: notePaths.has(url) ? noteFormMaxBytes(sotto.policy) : shortFormMaxBytes,
    maxFields: url === selectionPath ? selectionMaxFields : fieldsMax,
  })
  leaveBodiesUnread(app)

  const cookie = createSessionCookie(baseUrl)
  const sso = singleSignOn && authenticate === undefined ? createSso(sotto, baseUrl, singleSignOn) : undefined
  const proofs = proofsOf({ sotto, sso, baseUrl })
  const router = createRouter({
    app,
    sotto,
    origins: options,
    admission:
      authenticate === undefined
        ? admitSessions({ sotto, cookie, proofs, localizedFor })
        : admitHostUsers({ sotto, authenticate, localizedFor }),
    localizedFor,
    formBounds,
    logAddresses,
  })
  addRoutes({
    router,
    sotto,
    baseUrl,
    linkBaseUrl,
    channels,
    sealing,
    cookie,
    sso,
    later,
    signsIn: authenticate === undefined,
  })
}

function localizerOf({
  sotto,
  branding,
  singleSignOn,
  authenticate,
  signInUrl,
  signOutUrl,
}: DashboardRoutesOptions): DashboardLocalizer {
  const localizedFor = createLocalizer(dashboardTexts, brandOf(branding))
  if (authenticate === undefined) {
    if (signInUrl !== undefined || signOutUrl !== undefined)
      throw new TypeError('signInUrl and signOutUrl are for users whom authenticate finds')
    const shown = singleSignOn && shownSingleSignOn(singleSignOn, sotto.policy)
    return (language) => ({ ...localizedFor(language), singleSignOn: shown, elementScripts })
  }
  const host: HostPages = { signInUrl, signOutUrl }
  return (language) => ({ ...localizedFor(language), host })
}

/** The paths whose forms have a note. */
const notePaths = new Set(['/secrets/new', '/drafts/:id'])

/** The bytes of a form without a note: all of its fields are short. */
const shortFormMaxBytes = 16 * 1024

/** The bytes that the form of a draft has for ten files with the longest names and types, encrypted. */
const sealedFilesMaxBytes = 16 * 1024

/** The bytes of a form with a note. A byte of a note takes at most three in a form. */
function noteFormMaxBytes(policy: Policy): number {
  return 3 * policy.noteMaxBytes + shortFormMaxBytes + (takesFiles(policy.files) ? sealedFilesMaxBytes : 0)
}
