import type { Translation } from '../translation.ts'
import { requestPage } from './requests.ts'

export const link = {
  /** The texts before opening. */
  ready: {
    heading: 'You have a confidential message',
    lead: 'It is still sealed.',
    /** The text instead of the lead, when the owner shows a name. */
    from: 'From {name}. It is still sealed.',
    /** The text that says who can read the message. */
    readers: 'Anyone who has this link can read it, so please keep the link to yourself.',
    readersWithPassword: 'It opens only with both this link and the password.',
    /** The text behind it for a message that the server can decrypt. */
    operator: 'Anyone who controls the server can read it when it is opened.',
    /** The next open is the last one; `{once}` is `onceWord`. */
    once: 'It can be opened {once}. Open it when you can keep a copy.',
    onceWord: 'once',
    /** `{count}` opens remain. */
    more: { one: 'It can be opened {count} more time.', other: 'It can be opened {count} more times.' },
    /** When the message is deleted, and how long that is from now. */
    until: 'It is deleted on {time} ({when}).',
    open: 'Open the message',
    /** The text while it is being opened. */
    opening: 'Opening…',
  },
  /** The form was sent a second time, by a reload for example. */
  again: {
    heading: 'You have opened this message already',
    lead: 'Opening it again counts as one more time, and the sender may have limited how often that is possible.',
    open: 'Open it again',
  },
  password: {
    label: 'Password',
    hint: 'If you do not have it, ask the sender. Never enter the password of your email or of any other account here.',
    show: 'Show password',
    missing: 'Please enter the password.',
    /** A short text for the page title. */
    wrong: 'That password is not right.',
    /** What to do next. */
    wrongAdvice:
      'Capital letters and spaces count. If in doubt, ask the sender: after several wrong tries the link is locked for a while.',
  },
  opened: {
    title: 'Confidential message',
    from: 'From {name}',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Copying did not work. Please select the text and copy it yourself.',
    save: 'Save as a file',
    /** How to copy without a script. */
    select: 'Click the text to select all of it, then copy it.',
    /** No open remains. */
    last: 'It is now deleted here. Copy it before you close the page.',
    /** `{count}` opens remain. */
    left: {
      one: 'It can be opened {count} more time, until {time}.',
      other: 'It can be opened {count} more times, until {time}.',
    },
    unlimited: 'You can open it again until {time}.',
  },
  /** Files that come with a message. */
  files: {
    /** The text above the names and sizes of files before it is opened; only where the sender shows them. */
    attached: { one: 'It comes with {count} file:', other: 'It comes with {count} files:' },
    heading: 'Files',
    save: 'Save',
    /** `{time}` is an hour of today, `{when}` how long that is from now. */
    until: 'You can save each file until {time} ({when}), as often as you need.',
    /** The text once that time is over. */
    over: 'The files can no longer be saved here.',
    unchecked: 'Nobody has checked these files. Open one only if you expected it.',
    /** The text instead of `opened.last`. */
    last: 'It is now deleted here. Copy it and save the files before you close the page.',
  },
  /** The texts for unknown, expired, used-up, destroyed and disabled links alike. */
  gone: {
    heading: 'There is no message to open here',
    lead: 'The link may have expired, may have been opened as often as was allowed, or may not have been copied completely.',
    advice: 'Please ask the person who sent it to you for a new one.',
    /** Shown where the operator gave a contact. */
    help: 'If you need help, contact {contact}.',
  },
  /** A message that the sender's browser has encrypted. */
  sealed: {
    /** The sentence in place of the one about who controls the server. */
    readers: 'Encrypted in the sender’s browser. This server cannot read it.',
    incomplete:
      'This link is incomplete. The part after # is missing. Ask for the whole link. Nothing was opened.',
    insecure: 'Open this link with https.',
    /** `{command}` is the command that opens it. */
    noScript: 'This message needs JavaScript, or the command: {command}',
    /** The heading over what cannot be decrypted, and what to do. */
    undecryptable: 'The text could not be decrypted',
    advice: 'It was changed, or encrypted with another key. Save it as it is, and tell the sender.',
    saving: 'Saving…',
    fileUndecryptable: 'The file could not be decrypted. Nothing was saved.',
    fileFailed: 'The file could not be fetched. Please try again.',
  },
  /** A sealed link without its key, or with another one. */
  keyWrong: {
    heading: 'The key of this link is missing or wrong',
    lead: 'Nothing was opened. Ask the sender for the whole link, with everything after the #.',
  },
  /** Too many wrong passwords. */
  locked: {
    heading: 'This link is locked for now',
    lead: 'There were too many wrong passwords. You can try again at {time} ({when}).',
    advice: 'The message is still here. Meanwhile, you can ask the sender for the right password.',
  },
  /** Too many simultaneous attempts. */
  crowded: {
    heading: 'One moment, please',
    lead: 'Several attempts to open this link are under way at the same time. Please try again in a few seconds.',
  },
  /** The server cannot open it now; nothing was opened. */
  busy: {
    heading: 'The server is busy right now',
    lead: 'Nothing was opened and nothing was used up. Please try again in a few seconds.',
  },
  /** Nothing can be written until the operator does something; nothing was opened. */
  unwritable: {
    heading: 'The server cannot write now',
    lead: 'Nothing was opened and nothing was used up. Please try again later.',
  },
  /** The connection to the database broke: whether an open was used up is not known. */
  uncertain: {
    heading: 'The connection broke while the message was being opened',
    lead: 'An open may have been used up, and nothing was shown. Please go back to the page of the link and try again. If the message is gone, ask the sender for a new link.',
  },
  /** An error of the server. */
  failed: {
    heading: 'Something went wrong on our side',
    lead: 'It was not your doing. Please try again later, and if it happens again, tell the sender.',
  },
  /** The form was sent from another site. */
  refused: {
    heading: 'This request was not accepted',
    lead: 'It did not come from the page of this link, so nothing was opened. Please begin on that page.',
  },
  /** The request is invalid or too large. */
  unreadable: {
    heading: 'This request could not be read',
    lead: 'Nothing was opened. Please begin again on the page of the link.',
  },
  request: requestPage,
  /** Leads back to the page of the link, to try the same again. */
  retry: 'Try again',
  /** Leads back to the page of the link, to start from there. */
  restart: 'Go to the page of the link',
  /** An address of no page. */
  unknown: {
    heading: 'There is no page here',
    lead: 'The address may not have been copied completely.',
  },
  /** The heading of the choice of languages. */
  language: 'Language',
  /** What a recipient needs. */
  about: 'No account, nothing to install.',
} as const

/** All texts on the pages of a link, in one language. Plain text without markup. */
export type LinkTexts = Translation<typeof link>
