import type { Mail, MailNotice, SecretEvent } from '@sotto/core'
import type { MailTexts } from '../texts/en.ts'
import { oneLine } from './one-line.ts'
import { createWriter, type Writer } from './writer.ts'

/** What a mail says, before it becomes text and HTML. All of it is plain text. */
export interface Letter {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** The name of the service. */
  readonly name: string
  /** Never a label: subjects are shown on locked screens. */
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly Fact[]
  readonly action?: { readonly text: string; readonly url: string } | undefined
  /** In small print. */
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
  const name = oneLine(givenName)
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
  readonly event: SecretEvent
  readonly count: number
  readonly label: string | undefined
}

function eventBody({ event, count, label }: EventContent, writer: Writer, base: URL): Body {
  const { texts } = writer
  const { heading, paragraphs, when } = happened(event, count, writer)
  const url = new URL(`/secrets/${event.secretId}`, base).href
  const facts = [
    ...(label === undefined ? [] : [{ term: texts.facts.label, value: oneLine(label) }]),
    { term: when, value: writer.dateTime(event.createdAtMicros) },
  ]
  const settings = new URL('/settings/notifications', base).href
  const notes = [texts.why, writer.fill(texts.settings, { url: settings })]
  const said = { subject: heading, heading, paragraphs, notes }
  // The page of an expired secret is gone: its address only tells which one it was.
  if (event.type === 'secret.expired_unopened') {
    return { ...said, facts: [...facts, { term: texts.facts.page, value: url }] }
  }
  return { ...said, facts: [...facts, ...state(event, writer)], action: { text: texts.seeSecret, url } }
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

function happened(
  { type, opensLeft }: SecretEvent,
  count: number,
  { texts, counted }: Writer,
): { readonly heading: string; readonly paragraphs: readonly string[]; readonly when: string } {
  const { facts } = texts
  switch (type) {
    case 'secret.opened': {
      const paragraphs = opensLeft === 0 ? [texts.opened.usedUp] : []
      const when = count === 1 ? facts.time : facts.latest
      return { heading: counted(texts.opened.heading, count), paragraphs, when }
    }
    case 'secret.locked':
      return { heading: texts.locked.heading, paragraphs: [texts.locked.lead], when: facts.time }
    case 'secret.expired_unopened':
      return { heading: texts.expired.heading, paragraphs: [texts.expired.lead], when: facts.expired }
  }
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
