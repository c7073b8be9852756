import type { Translation } from '../translation.ts'

export const secrets = {
  /** One secret in a list, and on its page: a few words each. */
  status: {
    unopened: 'Not opened',
    /** The text of a secret without an open limit. */
    opened: 'Opened {when}',
    openedLeft: 'Opened {when}, {left} of {limit} left',
    locked: 'Locked until {time}',
    /** Opened as often as allowed. */
    usedUp: 'Finished, opened {when}',
    finished: 'Finished',
    disabled: 'Finished, too many wrong passwords',
    /** How often a secret was opened since its owner last looked. */
    news: { one: '{count} new', other: '{count} new' },
    /** A word after a title, in small letters. */
    password: 'with password',
    /** A time that is still to come, after a title, in small letters. */
    deleted: 'deleted {when}',
  },
  fields: {
    folder: 'Folder',
    label: 'Title',
    labelHint: 'The recipient sees it.',
    note: 'Text',
    opens: 'Can be opened',
    opensOnce: 'once',
    opensThrice: '3 times',
    opensUnlimited: 'no limit',
    /** The choice of a number, which is entered beside it. */
    opensNumber: 'a number',
    /** Names the field for the number. */
    opensCount: 'How often it can be opened',
    expires: 'Deleted after',
    lifetimes: ['1 hour', '1 day', '7 days', '30 days'],
    password: 'Password',
    /** A word after the name of a field. */
    optional: '(optional)',
    passwordHint: 'Send it another way than the link.',
    suggest: 'Suggest',
    /** Puts a generated password into the text. */
    insert: 'Insert a new password',
    /** The text that is shown once instead of sending. */
    notCopied: 'The suggested password is not copied yet. Copy it first, or press the button again.',
    notify: 'Tell me when it is opened',
    /** Offered while mails name no labels. */
    notifyLabels: 'Show the title in the mails about it, and about all my secrets',
    /** What happens where no mails are sent. */
    notifyMarked: 'Your list of secrets marks it as new.',
    /** Leads to the settings page of notifications. */
    notifyHow: 'Choose how you are told',
  },
  newSecret: {
    heading: 'New secret',
    create: 'Create link',
    saveDraft: 'Keep as draft',
    /** The title of a secret that got none. */
    untitled: 'Confidential message, {time}',
    draftHint:
      'A draft has no link yet, so no recipient can read it. Anyone who controls the server can read what passes through it.',
    /** The count beside the text while it is typed. */
    bytesLeft: { one: '{count} byte left', other: '{count} bytes left' },
    bytesOver: { one: '{count} byte too long', other: '{count} bytes too long' },
  },
  secret: {
    title: 'Secret',
    created: 'Your secret is ready. Send this link to the person who should read it.',
    link: 'Link',
    copyLink: 'Copy link',
    /** Copies a sentence with the link, the opens and the time. */
    copyMessage: 'Copy a message',
    messageOnce:
      'Here is a confidential message for you: {url} It can be opened once and is deleted on {time}.',
    message: {
      one: 'Here is a confidential message for you: {url} It can be opened {count} time and is deleted on {time}.',
      other:
        'Here is a confidential message for you: {url} It can be opened {count} times and is deleted on {time}.',
    },
    messageUnlimited: 'Here is a confidential message for you: {url} It is deleted on {time}.',
    /** Follows these where the link has a password. */
    messagePassword: 'You need a password for it, which you get another way.',
    /** Opens what the phone has for sharing. */
    share: 'Share…',
    another: 'Write another',
    copied: 'Copied',
    copyFailed: 'It could not be copied: select the link and copy it.',
    /** The words for those who cannot see the picture. */
    qr: 'QR code of the link',
    recipientHeading: 'What the recipient sees',
    recipient:
      'First a page with a button. Only the button opens the secret, so a preview of the link uses up nothing.',
    recipientWithPassword:
      'The page also asks for the password. Send it another way than the link, for example by phone.',
    ownOpens: 'If you open the link yourself, that counts as an open.',
    opens: 'Opens so far',
    opensLeft: 'Opens left',
    details: 'Details',
    unlimited: 'No limit',
    notifies: 'Tell me when it is opened',
    yes: 'Yes',
    no: 'No',
    /** The text beside the button, and the button, while wrong passwords lock the link. */
    unlock: 'Unlock',
    unlockHint:
      'Too many wrong passwords have locked the link for half an hour. You can unlock it now, for example when somebody mistyped it. Guesses still count: a hundred in all disable the link for good.',
    destroy: 'Delete',
    /** The hint beside the button. */
    destroyHint: 'The link stops working and the contents are deleted immediately.',
    destroyHeading: 'Delete this secret?',
    destroyLead: 'Its link stops working and its contents are deleted immediately. This cannot be undone.',
    /** The button in place of these once nothing is left but its row. */
    remove: 'Remove from the list',
    removeHint:
      'Its text is deleted already. The rest, with its title and its times, is deleted now, and this cannot be undone.',
    removeHeading: 'Remove this secret from the list?',
  },
  /** What happened to a secret. Each text stands above its time. */
  timeline: {
    heading: 'Timeline',
    created: 'Created',
    opened: 'Opened',
    openedLast: 'Opened for the last time, which deleted its text',
    /** Opens before the latest hundred. */
    earlier: {
      one: '{count} earlier open, whose time is not kept',
      other: '{count} earlier opens, whose times are not kept',
    },
    locked: 'The lock by wrong passwords ends',
    /** The text without a time. */
    disabled: 'Too many wrong passwords have disabled the link for good and deleted its text.',
    /** A time that is still to come. */
    deleted: 'Will be deleted ({when})',
    removed: 'Leaves the list ({when})',
  },
  /** What an action did. */
  done: {
    destroyed: 'The secret is deleted.',
    unlocked: 'The link is unlocked.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type SecretsTexts = Translation<typeof secrets>
