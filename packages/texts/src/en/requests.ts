import type { Translation } from '../translation.ts'

/** Asking somebody without an account for a text. */
export const requests = {
  heading: 'Requests',
  newRequest: 'New request',
  lead: 'Ask somebody for a text: they need no account. What they hand in becomes one of your drafts.',
  none: { heading: 'No requests', lead: 'A request gets a link, which you send to the person you ask.' },
  more: 'More requests',
  /** The title of the page of one. */
  title: 'Request',
  titleHint: 'Whoever has the link sees it. The drafts get it as their title.',
  text: 'What to send',
  textHint: 'For example which password, and where to find it. Whoever has the link can read it.',
  answers: 'Answers allowed',
  closes: 'Closes after',
  notify: 'Tell me when it is answered',
  takesFiles: 'Files may be attached',
  create: 'Create request',
  created: 'The request is ready. Send this link to the person you ask.',
  /** The number of answers of one request, in the list and on its page. */
  answered: 'Answers: {count} of {allowed}',
  open: 'Open until {time}',
  closed: 'Closed',
  answersHeading: 'Answers',
  newAnswers: 'New answers',
  noAnswers: 'No answer is waiting here.',
  /** The heading of an answer. */
  answerTo: 'Answer to {title}',
  /** A word beside an answer that its owner has not looked at. */
  isNew: 'New',
  copy: 'Copy',
  save: 'Save as a file',
  edit: 'Edit',
  copyFailed: 'It could not be copied: open the answer, select the text and copy it.',
  close: 'Close',
  closeHint: 'The link stops working immediately. Answers that were handed in stay among your drafts.',
  /** The number of requests in the question before a folder is deleted. */
  inFolder: { one: '{count} request', other: '{count} requests' },
  /** Answers that only their owner decrypts. */
  sealed: {
    box: 'Encrypt the answers',
    hint: 'They are encrypted in the browser of whoever answers. Only the key that this browser makes decrypts them: this server cannot read them. It can read title and question.',
    heading: 'Key of this request',
    keyNow: 'Keep this key elsewhere, too. It is shown only now, and without it nobody can read the answers.',
    copyKey: 'Copy key',
    copyKeyFailed: 'It could not be copied: select the key and copy it.',
    onDevice: 'The key is in this browser. With it the link is shown, and the answers are decrypted.',
    forget: 'Forget on this device',
    missing:
      'The key of this request is not on this device. Without it the link cannot be shown, and no answer can be decrypted.',
    field: 'Key',
    use: 'Use this key',
    wrong: 'This is not the key of this request.',
    insecure: 'Open this page with https.',
    noScript: 'Encrypted answers need JavaScript: they are decrypted in this browser.',
    undecryptable: 'The text could not be decrypted',
    /** The button that puts an answer into the folder that is chosen beside it. */
    move: 'Move',
    saveSealed: 'Save as it is',
    saving: 'Saving…',
    fileUndecryptable: 'The file could not be decrypted. Nothing was saved.',
    fileFailed: 'The file could not be fetched. Please try again.',
  },
  done: {
    requestClosed: 'The request is closed.',
    answerDeleted: 'The answer is deleted.',
  },
} as const

/** The texts about requests on the owner's pages. */
export type RequestsTexts = Translation<typeof requests>

/** The page of a request, on which somebody hands in what an owner asks for. */
export const requestPage = {
  /** The title of the page, and its heading when the request cannot be read right now. */
  heading: 'Hand in a confidential text',
  from: '{name} asks you for a confidential text',
  /** The text when who asks shows no name. */
  fromService: 'Somebody who uses {service} asks you for a confidential text',
  unverified: 'The person who asks chose this name. Nobody has verified it.',
  label: 'Your text',
  readers: 'The person who asks can read it, and so can anyone who controls the server.',
  send: 'Send',
  /** The text while it is being sent. */
  sending: 'Sending…',
  until: 'You can answer until {time} ({when}).',
  caution:
    'Answer only if you expected this. If in doubt, ask the person in another way before you enter anything.',
  missing: 'Please enter the text.',
  tooLong: 'The text is longer than this service takes. Please shorten it.',
  /** The text has NUL, or half of a surrogate pair. */
  notText: 'The text has characters that cannot be stored.',
  /** The request takes encrypted answers only. */
  notSealed:
    'The text was not encrypted in the browser, or is longer than this service takes. Nothing was handed in.',
  tooMany: 'There were too many answers from your network. Your text is still here: send it again {when}.',
  busy: 'The server is busy right now, and nothing was handed in. Your text is still here: send it again in a few seconds.',
  unwritable:
    'The server cannot write now, and nothing was handed in. Your text is still here: send it again later.',
  uncertain:
    'The connection broke. Your text may have been handed in already. Send it again: it is never added twice.',
  failed: 'Something went wrong on our side, and nothing was handed in. Your text is still here.',
  /** Where only the owner of the request decrypts answers. `{command}` is the command that hands one in. */
  sealed: {
    readers: 'It is encrypted in this browser before it is sent. This server cannot read it.',
    noScript: 'This form needs JavaScript, or the command: {command}',
  },
  /** Where a request takes files. */
  files: {
    label: 'Files',
    /** `{count}` files at most, `{each}` is the largest. */
    hint: 'Files alone are enough: at most {count}, of up to {each} each.',
    /** Neither a text nor a file. */
    missing: 'Please enter the text, or choose a file.',
    tooMany: 'There are more than {count} files.',
    tooLarge: 'A file is larger than {limit}.',
    /** Nothing that says whose room it is, or how much. */
    noRoom: 'There is no room for these files here now. Send fewer or smaller ones, or only the text.',
    wrongName: 'The name of a file is too long, or has characters that are not allowed. Rename the file.',
    broken: 'The files did not arrive completely.',
    /** The page was made when files were taken. */
    notTaken: 'No files can be sent here any more, and nothing was handed in. Your text is still here.',
    /** What was typed is kept when a form is refused, files are not. */
    again: 'Choose the files again: no page sends them back.',
  },
  /** The text was larger than any may be, and was not read. */
  tooLarge: {
    heading: 'The text is too large',
    lead: 'Nothing was handed in. Go back in your browser, where the text should still be, and shorten it.',
  },
  /** Sent from another site. */
  refused: {
    heading: 'This text was not accepted',
    lead: 'It did not come from the page of this link, so nothing was handed in. Please begin on that page.',
  },
  unreadable: {
    heading: 'This could not be read',
    lead: 'Nothing was handed in. Please begin again on the page of the link.',
  },
  received: {
    heading: 'Your answer was received',
    lead: 'It was handed in on {time}, and can no longer be read here.',
    advice: 'You can close this page.',
  },
  /** The texts for unknown, expired, closed and answered requests alike. */
  gone: {
    heading: 'There is nothing to answer here',
    lead: 'The request may have been answered, closed or expired, or the link may not have been copied completely.',
    advice: 'Please ask the person who sent it to you for a new one.',
  },
} as const

/** The texts on the page of a request. */
export type RequestPageTexts = Translation<typeof requestPage>

/** What mails say about requests. */
export const requestMails = {
  answered: {
    heading: 'Your request was answered',
    lead: 'The answer is a draft in the request’s folder, with its title.',
    /** The line after the last answer that is allowed. */
    full: 'It was the last answer that the request takes. The link no longer works.',
  },
  unanswered: {
    heading: 'Your request has closed without an answer',
    lead: 'Nobody answered it in time. The link no longer works.',
  },
  facts: {
    answers: 'Answers so far',
    answersLeft: 'Answers left',
    closes: 'Closes',
    closed: 'Closed',
  },
  seeRequest: 'See the request',
  /** Why somebody gets a mail about a request. The text quotes the field of the page that makes one. */
  whyRequest: 'You get this mail because “Tell me when it is answered” is chosen for the request.',
} as const

/** The texts about requests in mails. */
export type RequestMailTexts = Translation<typeof requestMails>
