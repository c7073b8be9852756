import {
  isRequestEvent,
  type Mail,
  type MailNotice,
  type OwnerEvent,
  type RequestEvent,
  type SecretEvent,
  shownText,
} from '@sotto/core'
import type { MailTexts } from '@sotto/texts/mails'
import { createWriter, type Writer } from './writer.ts'

/** What a mail says, before it becomes text and HTML. All of it is plain text. */
export interface Letter {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** The name of the service. */
  readonly name: string
  /** The subject. It is never a label, because locked screens show subjects. */
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly Fact[]
  readonly action?: { readonly text: string; readonly url: string } | undefined
  /** Paragraphs in small print. */
  readonly notes: readonly string[]
}

export interface Fact {
  readonly term: string
  readonly value: string
}

interface LetterParts {
  readonly mail: Mail
  readonly name: string
  readonly base: URL
}

type Body = Omit<Letter, 'language' | 'direction' | 'name'>

export function letterOf({ mail, name: givenName, base }: LetterParts): Letter {
  const name = shownText(givenName)
  const writer = createWriter(mail.language, name)
  const { language } = mail
  return { language, direction: writer.direction, name, ...bodyOf(mail, writer, base) }
}

function bodyOf({ content, atMicros }: Mail, writer: Writer, base: URL): Body {
  const { texts } = writer
  switch (content.kind) {
    case 'event':
      return eventBody(content, writer, base)
    case 'invitation':
      return linkBody(content, writer, texts[content.invitation], [texts.invitation.once], base)
    case 'confirm':
      return linkBody(content, writer, texts.confirm, [], base)
    case 'notice':
      return noticeBody(content.notice, writer, { atMicros, base })
    case 'test': {
      const { heading, lead } = texts.test
      return { subject: heading, heading, paragraphs: [writer.fill(lead)], facts: [], notes: [] }
    }
  }
}

interface EventContent {
  readonly event: OwnerEvent
  readonly count: number
  readonly label: string | undefined
}

function eventBody({ event, count, label }: EventContent, writer: Writer, base: URL): Body {
  const { texts } = writer
  const { heading, paragraphs, when, path, action, why, state, isGone } = isRequestEvent(event)
    ? answered(event, writer)
    : happened(event, count, writer)
  const url = new URL(path, base).href
  const facts = [
    ...(label === undefined ? [] : [{ term: texts.facts.label, value: shownText(label) }]),
    { term: when, value: writer.dateTime(event.createdAtMicros) },
  ]
  const settings = new URL('/settings/notifications', base).href
  const notes = [why, writer.fill(texts.settings, { url: settings })]
  const said = { subject: heading, heading, paragraphs, notes }
  // The page of what has expired is gone: its address only tells which one it was.
  if (isGone) return { ...said, facts: [...facts, { term: texts.facts.page, value: url }] }
  return { ...said, facts: [...facts, ...state], action: { text: action, url } }
}

/** What a mail says of an event. */
interface Happened {
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** The name of the time at which it happened. */
  readonly when: string
  /** The path of the page. */
  readonly path: string
  /** The text of the button that leads to the page. */
  readonly action: string
  readonly why: string
  readonly state: readonly Fact[]
  /** Whether there is no such page any more. */
  readonly isGone: boolean
}

function state({ opens, opensLeft, expiresAtMicros }: SecretEvent, writer: Writer): readonly Fact[] {
  const { facts } = writer.texts
  const left = opensLeft === undefined ? facts.unlimited : writer.number(opensLeft)
  return [
    { term: facts.opens, value: writer.number(opens) },
    { term: facts.opensLeft, value: left },
    { term: facts.expires, value: writer.dateTime(expiresAtMicros) },
  ]
}

function happened(event: SecretEvent, count: number, writer: Writer): Happened {
  const { facts, opened, locked, expired, seeSecret, why } = writer.texts
  const about = { path: `/secrets/${event.secretId}`, action: seeSecret, why, state: state(event, writer) }
  switch (event.type) {
    case 'secret.opened': {
      const paragraphs = event.opensLeft === 0 ? [opened.usedUp] : []
      const when = count === 1 ? facts.time : facts.latest
      return { ...about, heading: writer.counted(opened.heading, count), paragraphs, when, isGone: false }
    }
    case 'secret.locked':
      return {
        ...about,
        ...{ heading: locked.heading, paragraphs: [locked.lead], when: facts.time, isGone: false },
      }
    case 'secret.expired_unopened':
      return {
        ...about,
        ...{ heading: expired.heading, paragraphs: [expired.lead], when: facts.expired, isGone: true },
      }
  }
}

function answered(event: RequestEvent, writer: Writer): Happened {
  const { answered, unanswered, facts, seeRequest, whyRequest } = writer.texts.requests
  const { type, requestId, answers, answersLeft, expiresAtMicros } = event
  const state = [
    { term: facts.answers, value: writer.number(answers) },
    { term: facts.answersLeft, value: writer.number(answersLeft) },
    { term: facts.closes, value: writer.dateTime(expiresAtMicros) },
  ]
  const about = { path: `/requests/${requestId}`, action: seeRequest, why: whyRequest, state }
  if (type === 'request.closed_unanswered') {
    const { heading, lead } = unanswered
    return { ...about, heading, paragraphs: [lead], when: facts.closed, isGone: true }
  }
  const { heading, lead, full } = answered
  const paragraphs = answersLeft === 0 ? [lead, full] : [lead]
  return { ...about, heading, paragraphs, when: writer.texts.facts.time, isGone: false }
}

interface LinkContent {
  readonly url: string
  readonly expiresAtMicros: number
}

/** A mail with a link that works once. */
function linkBody(
  { url, expiresAtMicros }: LinkContent,
  writer: Writer,
  { subject, heading, lead, action, ignore }: MailTexts['confirm'],
  more: readonly string[],
  base: URL,
): Body {
  return {
    subject: writer.fill(subject),
    heading,
    paragraphs: [writer.fill(lead, { host: base.host }), ...more],
    facts: [{ term: writer.texts.invitation.validUntil, value: writer.dateTime(expiresAtMicros) }],
    action: { text: action, url },
    notes: [ignore],
  }
}

function noticeBody(
  notice: MailNotice,
  writer: Writer,
  { atMicros, base }: { readonly atMicros: number; readonly base: URL },
): Body {
  const { facts, notices, reset, settings } = writer.texts
  const { subject, heading, lead, next } = notices[notice]
  const mails = writer.fill(settings, { url: new URL('/settings/notifications', base).href })
  return {
    subject: writer.fill(subject),
    heading,
    paragraphs: [writer.fill(lead), next],
    facts: [{ term: facts.time, value: writer.dateTime(atMicros) }],
    action:
      notice === 'password_changed'
        ? { text: reset.action, url: new URL('/login/reset', base).href }
        : undefined,
    notes: notice === 'mails_off' ? [mails] : [],
  }
}
