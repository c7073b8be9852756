import type { Language } from '@sotto/core'
import { ar as accountAr } from './ar/account.ts'
import { de as accountDe } from './de/account.ts'
import { en as accountEn, type AccountTexts } from './en/account.ts'
import { es as accountEs } from './es/account.ts'
import { fr as accountFr } from './fr/account.ts'
import { ja as accountJa } from './ja/account.ts'
import { ar as commonAr } from './ar/common.ts'
import { de as commonDe } from './de/common.ts'
import { en as commonEn, type CommonTexts } from './en/common.ts'
import { es as commonEs } from './es/common.ts'
import { fr as commonFr } from './fr/common.ts'
import { ja as commonJa } from './ja/common.ts'
import { ar as filesAr } from './ar/files.ts'
import { de as filesDe } from './de/files.ts'
import { en as filesEn, type FilesTexts } from './en/files.ts'
import { es as filesEs } from './es/files.ts'
import { fr as filesFr } from './fr/files.ts'
import { ja as filesJa } from './ja/files.ts'
import { ar as notificationsAr } from './ar/notifications.ts'
import { de as notificationsDe } from './de/notifications.ts'
import { en as notificationsEn, type NotificationsTexts } from './en/notifications.ts'
import { es as notificationsEs } from './es/notifications.ts'
import { fr as notificationsFr } from './fr/notifications.ts'
import { ja as notificationsJa } from './ja/notifications.ts'
import { ar as passkeysAr } from './ar/passkeys.ts'
import { de as passkeysDe } from './de/passkeys.ts'
import { en as passkeysEn, type PasskeysTexts } from './en/passkeys.ts'
import { es as passkeysEs } from './es/passkeys.ts'
import { fr as passkeysFr } from './fr/passkeys.ts'
import { ja as passkeysJa } from './ja/passkeys.ts'
import { ar as secretsAr } from './ar/secrets.ts'
import { de as secretsDe } from './de/secrets.ts'
import { en as secretsEn, type SecretsTexts } from './en/secrets.ts'
import { es as secretsEs } from './es/secrets.ts'
import { fr as secretsFr } from './fr/secrets.ts'
import { ja as secretsJa } from './ja/secrets.ts'
import { ar as ssoAr } from './ar/single-sign-on.ts'
import { de as ssoDe } from './de/single-sign-on.ts'
import { en as ssoEn, type SsoTexts } from './en/single-sign-on.ts'
import { es as ssoEs } from './es/single-sign-on.ts'
import { fr as ssoFr } from './fr/single-sign-on.ts'
import { ja as ssoJa } from './ja/single-sign-on.ts'

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

export type { CommonTexts }
