import { toWireAnnouncement } from '@sotto/wire'
import { err, ok, type Result } from 'neverthrow'
import { auditSotto, type Audit } from '../audit.ts'
import { kubernetesNames } from '../config/kubernetes.ts'
import type { Settings } from '../config/settings.ts'
import {
  firstStartText,
  makeFirstAccount,
  noFirstStartText,
  type FirstStart,
  type NoFirstStart,
} from './first-start.ts'
import type { FirstStartError } from '../errors/errors.ts'
import type { Installation } from '../installation/installation.ts'
import type { RunningServer } from './server.ts'
import type { Serving } from './serving.ts'

/** What `serve` prints once it listens. */
export interface Announcement {
  readonly text: string
  readonly json: unknown
}

/** Makes the first account where there is none, and says where the server listens. Logs which variables are ignored. */
export async function announce(
  { installation, server }: Pick<Serving, 'installation' | 'server'>,
  env: NodeJS.ProcessEnv,
): Promise<Result<Announcement, FirstStartError>> {
  const ignored = kubernetesNames(env)
  if (ignored.length > 0)
    server.log.info({ ignored }, 'variables that Kubernetes sets for a Service are ignored')
  const made = await makeFirstAccount(audited(installation, server), installation.settings.ownerEmail)
  return made.isErr() ? err(made.error) : ok(announcementOf(server, installation.settings, made.value))
}

/** The first account and its token belong into the log, as later ones do. */
function audited(installation: Installation, { log }: RunningServer): Installation {
  const audit: Audit = (event, ids) => log.info({ audit: true, event, ...ids }, event)
  return { ...installation, sotto: auditSotto(installation.sotto, audit) }
}

function announcementOf(
  { address }: RunningServer,
  { baseUrl, linkBaseUrl, ownerEmail }: Settings,
  made: FirstStart | NoFirstStart,
): Announcement {
  const where = `Sotto listens on ${address}, its API is ${baseUrl}/api, and ${baseUrl}/docs tells how to use it.`
  const isFirst = typeof made !== 'string'
  const more = (isFirst ? firstStartText(made, baseUrl) : noFirstStartText(made, ownerEmail)).trimEnd()
  return {
    text: more === '' ? where : `${where}\n${more}`,
    json: toWireAnnouncement({ address, baseUrl, linkBaseUrl, firstStart: isFirst ? made : undefined }),
  }
}
