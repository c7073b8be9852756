import type { Language } from '@sotto/core'
import type { Localized } from '@sotto/html'
import { ar as accountAr } from './account/ar.ts'
import { de as accountDe } from './account/de.ts'
import { en as accountEn, type AccountTexts } from './account/en.ts'
import { es as accountEs } from './account/es.ts'
import { fr as accountFr } from './account/fr.ts'
import { ja as accountJa } from './account/ja.ts'
import { ar as commonAr } from './common/ar.ts'
import { de as commonDe } from './common/de.ts'
import { en as commonEn, type CommonTexts } from './common/en.ts'
import { es as commonEs } from './common/es.ts'
import { fr as commonFr } from './common/fr.ts'
import { ja as commonJa } from './common/ja.ts'
import { ar as filesAr } from './files/ar.ts'
import { de as filesDe } from './files/de.ts'
import { en as filesEn, type FilesTexts } from './files/en.ts'
import { es as filesEs } from './files/es.ts'
import { fr as filesFr } from './files/fr.ts'
import { ja as filesJa } from './files/ja.ts'
import { ar as notificationsAr } from './notifications/ar.ts'
import { de as notificationsDe } from './notifications/de.ts'
import { en as notificationsEn, type NotificationsTexts } from './notifications/en.ts'
import { es as notificationsEs } from './notifications/es.ts'
import { fr as notificationsFr } from './notifications/fr.ts'
import { ja as notificationsJa } from './notifications/ja.ts'
import { ar as passkeysAr } from './passkeys/ar.ts'
import { de as passkeysDe } from './passkeys/de.ts'
import { en as passkeysEn, type PasskeysTexts } from './passkeys/en.ts'
import { es as passkeysEs } from './passkeys/es.ts'
import { fr as passkeysFr } from './passkeys/fr.ts'
import { ja as passkeysJa } from './passkeys/ja.ts'
import { ar as secretsAr } from './secrets/ar.ts'
import { de as secretsDe } from './secrets/de.ts'
import { en as secretsEn, type SecretsTexts } from './secrets/en.ts'
import { es as secretsEs } from './secrets/es.ts'
import { fr as secretsFr } from './secrets/fr.ts'
import { ja as secretsJa } from './secrets/ja.ts'
import { ar as ssoAr } from './sso/ar.ts'
import { de as ssoDe } from './sso/de.ts'
import { en as ssoEn, type SsoTexts } from './sso/en.ts'
import { es as ssoEs } from './sso/es.ts'
import { fr as ssoFr } from './sso/fr.ts'
import { ja as ssoJa } from './sso/ja.ts'

/** All texts of the owner's pages, in one language, by area. */
export interface DashboardTexts {
  readonly common: CommonTexts
  readonly account: AccountTexts
  readonly files: FilesTexts
  readonly notifications: NotificationsTexts
  readonly passkeys: PasskeysTexts
  readonly secrets: SecretsTexts
  readonly sso: SsoTexts
}

/** Where the pages of an application that signs its users in are. */
export interface HostPages {
  readonly signInUrl?: string | undefined
  readonly signOutUrl?: string | undefined
}

/** The identity provider that people can sign in at, as the pages show it. */
export interface ShownSingleSignOn {
  /** How the pages call the provider. */
  readonly label: string
  readonly issuer: string
  /** Whether they also sign in with a password. */
  readonly hasPasswords: boolean
  /** The sources of the policy for forms that send the browser to the provider, which may redirect it to other origins. */
  readonly formTargets: string
}

export interface LocalizedDashboard extends Localized<DashboardTexts> {
  /** Set where people can sign in with an identity provider. */
  readonly singleSignOn?: ShownSingleSignOn | undefined
  /** Set where the host application signs its users in: there are no pages for passwords and sessions. */
  readonly host?: HostPages | undefined
  /** Whether there are passkeys here. */
  readonly offersPasskeys?: boolean
  /** Whether `?lang=` named the language, which the forms and links of the page keep. */
  readonly isChosen?: boolean
}

export type DashboardLocalizer = (language: Language) => LocalizedDashboard

/** The texts of the owner's pages in all languages. */
export const dashboardTexts: Readonly<Record<Language, DashboardTexts>> = {
  en: {
    common: commonEn,
    account: accountEn,
    files: filesEn,
    notifications: notificationsEn,
    passkeys: passkeysEn,
    secrets: secretsEn,
    sso: ssoEn,
  },
  de: {
    common: commonDe,
    account: accountDe,
    files: filesDe,
    notifications: notificationsDe,
    passkeys: passkeysDe,
    secrets: secretsDe,
    sso: ssoDe,
  },
  fr: {
    common: commonFr,
    account: accountFr,
    files: filesFr,
    notifications: notificationsFr,
    passkeys: passkeysFr,
    secrets: secretsFr,
    sso: ssoFr,
  },
  es: {
    common: commonEs,
    account: accountEs,
    files: filesEs,
    notifications: notificationsEs,
    passkeys: passkeysEs,
    secrets: secretsEs,
    sso: ssoEs,
  },
  ar: {
    common: commonAr,
    account: accountAr,
    files: filesAr,
    notifications: notificationsAr,
    passkeys: passkeysAr,
    secrets: secretsAr,
    sso: ssoAr,
  },
  ja: {
    common: commonJa,
    account: accountJa,
    files: filesJa,
    notifications: notificationsJa,
    passkeys: passkeysJa,
    secrets: secretsJa,
    sso: ssoJa,
  },
}
