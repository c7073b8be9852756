import { mailFromError, smtpUrlError } from '@sotto/adapter-mail/settings'
import { isAddressRange } from '@sotto/adapter-webhook/settings'
import { defaultPolicy, emailError, normalizeEmail } from '@sotto/core'
import type { Sealing } from '@sotto/dashboard-fastify'
import { brandingRules } from '@sotto/html'
import { isTrustedProxy } from '@sotto/http-fastify/settings'
import * as Type from 'typebox'
import { flag, origin, path, setting, wholeNumber } from './setting-kinds.ts'
import { isDatabaseUrl, isHost, partsOf } from './setting-rules.ts'
import { ssoSettings } from './sso-settings.ts'

/** The values of `SOTTO_SEALING`. */
const sealings: readonly Sealing[] = ['offer', 'ticked', 'off']

/** The email of the first account where no setting says otherwise. */
export const defaultOwnerEmail = 'owner@localhost'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** One of the levels of `SOTTO_LOG_LEVEL`. */
export type LogLevel = (typeof logLevels)[number]

/**
 * The environment variables that configure an installation. Only this and what it spreads know their names, defaults, bounds and meaning.
 * Validation, documentation and help are made from it.
 */
export const settingsSchema = Type.Object({
  SOTTO_ENV_FILE: Type.Optional(
    path({
      derived: '`./sotto.env` if there is one',
      description:
        'The settings file. Its lines `NAME=value` are read as `node --env-file` reads them, and set what the environment does not ' +
        'set. It may hold only settings of this page other than this one, and only its owner may have access to it (mode 0600), or it is [mounted](install.md#secrets-in-files).',
    }),
  ),
  SOTTO_HOST: setting({
    default: '127.0.0.1',
    takes: 'an IP address or a host name',
    description:
      'The address to listen on. The default is reachable from this machine only. `0.0.0.0` or `::` listens on every address: ' +
      'put the server behind a proxy that speaks TLS then.',
    accepts: isHost,
    read: (text) => text,
  }),
  SOTTO_PORT: wholeNumber({
    default: '3000',
    min: 0,
    max: 65_535,
    description:
      'The TCP port to listen on. With `0`, `serve` chooses a free port from 12000 to 31999 and prints it.',
  }),
  SOTTO_WORKERS: wholeNumber({
    default: '1',
    min: 1,
    max: 64,
    description:
      'How many processes serve on this machine, on one port. As many as it has processors are useful at most, and one is enough for ' +
      'hundreds of requests a second. See [scaling.md](scaling.md#several-processes-on-one-machine).',
  }),
  SOTTO_METRICS_PORT: Type.Optional(
    wholeNumber({
      derived: 'none: nothing is measured',
      min: 1,
      max: 65_535,
      description:
        'The TCP port on which `/metrics` answers Prometheus, on `SOTTO_HOST`. Whoever reaches it learns how much the service is used, ' +
        'nothing that is confidential: keep it off the public network all the same. With `SOTTO_WORKERS` each worker has a port of its own: ' +
        'this one and those after it. See [monitoring.md](monitoring.md#metrics).',
    }),
  ),
  SOTTO_BASE_URL: Type.Optional(
    origin({
      derived: '`http://localhost:{port}`',
      description:
        'The origin at which clients reach the API, and owners their pages; one-time links begin with it. With https, session cookies ' +
        'are sent over https only. If its host differs from the host of `SOTTO_LINK_BASE_URL`, each host ' +
        'answers its own paths only, and requests for any other host get a 404.',
    }),
  ),
  SOTTO_LINK_BASE_URL: Type.Optional(
    origin({
      derived: 'the value of `SOTTO_BASE_URL`',
      description: 'The origin at which recipients reach this server. The links of secrets begin with it.',
    }),
  ),
  SOTTO_DATA_DIR: path({
    default: './data',
    description:
      'The directory of the SQLite files, relative to the working directory. It is created when it is missing. All ' +
      'confidential data in it is encrypted. Use a local disk.',
  }),
  SOTTO_DATABASE_URL: Type.Optional(
    setting({
      derived: 'none: the database is in `SOTTO_DATA_DIR`',
      takes:
        'postgres:// or postgresql:// with a host and a database, such as postgres://user:password@db.example.org:5432/sotto: user and ' +
        'password percent-encoded; several hosts are separated by commas: db1.example.org:5432,db2.example.org:5432',
      description:
        'A database of PostgreSQL 15 or later, in place of the SQLite files: for several servers that share one database. It must exist; ' +
        'the first start creates the tables. Of several hosts the one is used that can be written, also after a failover. The connection has TLS with a verified certificate unless the host is this machine or the ' +
        'URL says `sslmode=disable`. The URL holds a password, so put it into the settings file. `sotto backup` and `sotto restore` leave ' +
        'backups of this database to PostgreSQL’s own programs, pg_dump and pg_restore.',
      accepts: isDatabaseUrl,
      read: (text) => text,
    }),
  ),
  SOTTO_DATABASE_CONNECTIONS: wholeNumber({
    default: '10',
    min: 1,
    max: 100,
    description:
      'How many connections to the database a process has at most. Only with `SOTTO_DATABASE_URL`. The sum over all servers and commands ' +
      'must stay below `max_connections` of PostgreSQL.',
  }),
  SOTTO_DATABASE_PIPELINE: flag({
    default: 'true',
    description:
      'Whether a statement may be sent before the previous one has been answered. Only with `SOTTO_DATABASE_URL`. Set it to `false` if a ' +
      'connection pooler hangs.',
  }),
  SOTTO_DATABASE_PREPARE: flag({
    default: 'true',
    description:
      'Whether statements are prepared once for each connection. Only with `SOTTO_DATABASE_URL`. Behind a pooler that Sotto notices they ' +
      'never are. Set it to `false` where another pooler does not keep prepared statements.',
  }),
  SOTTO_KEYS_FILE: path({
    default: './keys/sotto-keys.json',
    description:
      'The file with the keys, outside `SOTTO_DATA_DIR`, so that a copy of the data does not contain its keys. It is created, ' +
      'readable by its owner only, on the very first use. Without it the data cannot be read: keep a copy elsewhere.',
  }),
  SOTTO_TRUST_PROXY: setting({
    default: '',
    takes:
      'addresses and CIDR ranges separated by commas, IPv4 ranges of /8 or narrower, IPv6 ranges of /7 or narrower',
    description:
      "The reverse proxies whose `X-Forwarded-*` headers are believed about a client's address and protocol. None when empty: behind a proxy " +
      'everybody then has the address of the proxy, so that failed sign-ins by anybody lock everybody out.',
    accepts: (text) => partsOf(text).every(isTrustedProxy),
    read: partsOf,
  }),
  SOTTO_LIMIT_PER_MINUTE: wholeNumber({
    default: String(defaultPolicy.quota.perMinute),
    min: 1,
    max: 1_000_000,
    description: 'How many API requests an account may make in a minute.',
  }),
  SOTTO_LIMIT_PER_DAY: wholeNumber({
    default: String(defaultPolicy.quota.perDay),
    min: 1,
    max: 1_000_000_000,
    description: 'How many API requests an account may make in a day.',
  }),
  SOTTO_NOTE_MAX_BYTES: wholeNumber({
    default: String(defaultPolicy.noteMaxBytes),
    min: 1,
    max: 1_048_576,
    description: 'The largest text, in bytes of UTF-8.',
  }),
  SOTTO_FILE_MAX_BYTES: wholeNumber({
    default: '26214400',
    min: 0,
    max: 1_099_511_627_776,
    description:
      'The largest file of a secret, in bytes: 25 MiB by default. 0 switches files off, and leaves those that are there. ' +
      'A reverse proxy has a limit of its own, which must allow ten such files.',
  }),
  SOTTO_FILES_MAX_BYTES: wholeNumber({
    default: '1073741824',
    min: 0,
    max: 281_474_976_710_656,
    description:
      'How many bytes the files of an account may take together: 1 GiB by default. What is stored of each counts, at least 4 KiB; also while ' +
      'it arrives, and for a spent secret until its files cannot be fetched any more.',
  }),
  SOTTO_DISK_RESERVE_BYTES: wholeNumber({
    default: '268435456',
    min: 0,
    max: 1_099_511_627_776,
    description:
      'How many bytes files leave free on the disk of the data directory: 256 MiB by default. While less would be free, files are refused with ' +
      'status 507, so that there is room for everything else. On PostgreSQL, whose disk Sotto does not see, it does nothing.',
  }),
  SOTTO_SEALING: setting({
    default: 'offer',
    takes: `one of ${sealings.join(', ')}`,
    description:
      'Whether owners can have secrets, and answers to their requests, encrypted in the browser, so that this server cannot read them: ' +
      '`offer` lets them choose it, `ticked` chooses it unless they take it back, `off` does not offer it. For the pages only: programs can ' +
      'always send what is encrypted, and such links can always be opened. Browsers encrypt by https only, and by http on their own machine.',
    accepts: (text) => sealings.some((sealing) => sealing === text),
    read: (text) => text as Sealing,
  }),
  SOTTO_NAME: setting({
    default: 'Sotto',
    takes: 'a name of 1 to 40 visible characters, without spaces at either end',
    description: 'What the service is called on its pages.',
    accepts: brandingRules.name,
    read: (text) => text,
  }),
  SOTTO_LOGO_FILE: Type.Optional(
    path({
      derived: "Sotto's mark",
      description:
        'The picture beside the name: a PNG file or an SVG file. An SVG file may only draw. It may have no scripts, event attributes, ' +
        'embedded pictures and references to anything outside it. 100 KiB at most; it is a part of every page, so keep it small.',
    }),
  ),
  SOTTO_ACCENT: Type.Optional(
    setting({
      derived: 'a dark green',
      takes:
        'a colour such as #0e5f57, with a contrast of at least 4.5:1 to the light background of the pages',
      description:
        'The colour of buttons and links. Dark mode shows a lighter shade of it, with the same contrast to the dark background ' +
        '(WCAG 2.2, level AA).',
      accepts: brandingRules.accent,
      read: (text) => text,
    }),
  ),
  SOTTO_CONTACT: Type.Optional(
    setting({
      derived: 'none',
      takes: 'an email address, or a URL that begins with https:// or http://',
      description: 'Whom a recipient can ask for help. Shown on the page of a link that has no message.',
      accepts: brandingRules.contact,
      read: (text) => text,
    }),
  ),
  SOTTO_OWNER_EMAIL: setting({
    default: defaultOwnerEmail,
    takes: 'an email address',
    description:
      'The email of the account that the first start on an empty database creates. Later starts do not look at it: change the ' +
      'address with `sotto account rename`.',
    accepts: (text) => emailError(normalizeEmail(text)) === undefined,
    read: normalizeEmail,
  }),
  SOTTO_SMTP_URL: Type.Optional(
    setting({
      derived: 'none: no mails are sent',
      takes:
        'smtp:// or smtps:// with a host, such as smtps://user:password@mail.example.org: user and password percent-encoded, or neither; ' +
        'no path, and no query but ?tls=always or ?tls=never',
      description:
        'The mail server that takes mails to owners. `smtps` has TLS from the first byte (port 465), `smtp` by STARTTLS (port 587), which ' +
        'is required unless the mail server is this machine or `?tls=never` is set. Needs `SOTTO_MAIL_FROM`. The service starts whether ' +
        'the mail server answers or not. See [notifications.md](notifications.md).',
      accepts: (text) => smtpUrlError(text) === undefined,
      read: (text) => text,
    }),
  ),
  SOTTO_MAIL_FROM: Type.Optional(
    setting({
      derived: 'none: no mails are sent',
      takes: 'one email address, such as sotto@example.org or Example Ltd <sotto@example.org>',
      description:
        'Whom mails come from. Without a name beside it, the name is `SOTTO_NAME`. Needs `SOTTO_SMTP_URL`.',
      accepts: (text) => mailFromError(text) === undefined,
      read: (text) => text,
    }),
  ),
  ...ssoSettings,
  SOTTO_PASSWORD_SIGN_IN: flag({
    default: 'true',
    description:
      'Whether people sign in with passwords. With `false`, only the identity provider, passkeys and one-time links of the operator let people ' +
      'in. Needs `SOTTO_OIDC_ISSUER` then.',
  }),
  SOTTO_WEBHOOK_ALLOW: setting({
    default: '',
    takes:
      'addresses and CIDR ranges separated by commas, IPv4 ranges of /8 or narrower, IPv6 ranges of /7 or narrower',
    description:
      'The addresses of your own networks that webhooks may reach, by http too. None when empty: then messages are posted by https and ' +
      'to public addresses only, because whoever has an account chooses where they go. Name single machines where you can.',
    accepts: (text) => partsOf(text).every(isAddressRange),
    read: partsOf,
  }),
  SOTTO_LOG_LEVEL: setting({
    default: 'info',
    takes: `one of ${logLevels.join(', ')}`,
    description:
      'The lowest level that is logged. The server writes its log to standard error as lines of JSON. Other commands write their audit lines ' +
      'there where this is set, to `info` or lower.',
    accepts: (text) => logLevels.some((level) => level === text),
    read: (text) => text as LogLevel,
  }),
  SOTTO_LOG_ADDRESSES: flag({
    default: 'false',
    description:
      "Whether the audit lines of the log carry the client's network address, as fail2ban needs it. By default no address of anybody is " +
      'in the log. Behind a proxy, name it in `SOTTO_TRUST_PROXY`, or every line has the address of the proxy.',
  }),
})
