import type { Counted, NoticeTexts } from '../common/texts.ts'

/** Contains `{time}`, a time. */
type WithTime = `${string}{time}${string}`
/** Contains `{count}`, a number. */
type WithCount = `${string}{count}${string}`
/** Contains `{opens}` and `{limit}`, two numbers. */
type WithOpens = `${string}{opens}${string}{limit}${string}` | `${string}{limit}${string}{opens}${string}`

/** The texts of the dashboard, of secrets, drafts and folders. Plain text without markup. */
export interface SecretsTexts {
  readonly dashboard: {
    readonly heading: string
    readonly folders: string
    readonly allFolders: string
    readonly drafts: Counted<WithCount>
    readonly secrets: Counted<WithCount>
    /** Opens the page of a folder. */
    readonly manage: string
    readonly filter: string
    /** The filter hides every row. */
    readonly filterNothing: string
    readonly older: string
    readonly newest: string
    readonly noFolders: NoticeTexts
    readonly noSecrets: NoticeTexts & { readonly action: string }
    /** Some rows cannot be read. */
    readonly corrupted: string
  }
  /** One secret in a list, and on its page: a few words each. */
  readonly status: {
    readonly unopened: string
    /** Without an open limit. */
    readonly opened: Counted<WithCount>
    readonly openedOf: WithOpens
    readonly usedUp: string
    readonly locked: string
    readonly disabled: string
    /** After a label, in small letters. */
    readonly password: string
    readonly expires: WithTime
  }
  readonly fields: {
    readonly folder: string
    readonly label: string
    readonly labelHint: string
    readonly note: string
    readonly noteHint: Counted<WithCount>
    readonly opens: string
    readonly opensHint: string
    readonly expires: string
    readonly lifetimes: readonly [hour: string, day: string, week: string, month: string]
    readonly password: string
    readonly passwordHint: string
    readonly generate: string
    readonly notify: string
    /** Offered while mails name no labels. */
    readonly notifyLabels: string
    /** Leads to the settings page of notifications. */
    readonly notifyHow: string
  }
  readonly newSecret: {
    readonly heading: string
    readonly lead: string
    readonly create: string
    readonly saveDraft: string
    readonly draftHint: string
    /** Beside the note while it is typed. */
    readonly bytesLeft: Counted<WithCount>
    readonly bytesOver: Counted<WithCount>
  }
  readonly secret: {
    readonly title: string
    readonly created: string
    readonly link: string
    readonly copyLink: string
    readonly copied: string
    readonly copyFailed: string
    /** For those who cannot see the picture. */
    readonly qr: string
    readonly recipientHeading: string
    readonly recipient: string
    readonly recipientWithPassword: string
    readonly ownOpens: string
    readonly activity: string
    readonly opens: string
    readonly opensLeft: string
    readonly times: string
    readonly noOpens: string
    readonly latestOpens: Counted<WithCount>
    readonly usedUpLead: string
    readonly lockedLead: WithTime
    readonly disabledLead: string
    readonly details: string
    readonly sharedAt: string
    readonly expiresAt: string
    readonly limit: string
    readonly unlimited: string
    readonly hasPassword: string
    readonly notifies: string
    readonly yes: string
    readonly no: string
    readonly destroy: string
    /** Beside the button. */
    readonly destroyHint: string
    readonly destroyHeading: string
    readonly destroyLead: string
  }
  readonly draft: {
    readonly title: string
    readonly lead: string
    readonly share: string
    readonly shareHint: string
    readonly hidden: string
    /** After too many wrong passwords. */
    readonly disabled: string
    readonly showNote: string
    readonly passwordAgain: string
    /** Somebody changed it elsewhere. */
    readonly changed: string
    /** It was deleted or shared elsewhere. */
    readonly gone: string
    readonly removePassword: string
    readonly delete: string
    readonly deleteHeading: string
    readonly deleteLead: string
  }
  readonly folder: {
    readonly newFolder: string
    readonly newHint: string
    readonly labelHint: string
    readonly title: string
    readonly drafts: string
    readonly noDrafts: string
    readonly noDraftsLead: string
    readonly secrets: string
    readonly renameHeading: string
    readonly rename: string
    readonly delete: string
    /** Beside the button. */
    readonly deleteHint: string
    readonly deleteHeading: string
    readonly deleteLead: string
    readonly notEmpty: string
  }
  /** What an action did. */
  readonly done: {
    readonly destroyed: string
    readonly draftSaved: string
    /** It was to be shared, but only its changes are saved. */
    readonly draftNotShared: string
    readonly draftDeleted: string
    readonly folderCreated: string
    readonly folderRenamed: string
    readonly folderDeleted: string
  }
}
