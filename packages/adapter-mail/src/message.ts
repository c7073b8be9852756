import type { Mail } from '@sotto/core'
import type { SendMailOptions } from 'nodemailer'
import type { Sender } from './mail-from.ts'
import { htmlOf } from './letter/html.ts'
import { letterOf } from './letter/letter.ts'
import { textOf } from './letter/text.ts'

export interface MessageParts {
  readonly mail: Mail
  readonly sender: Sender
  /** The name of the service. */
  readonly name: string
  readonly base: URL
}

/** The message for nodemailer: text and HTML of the same letter. */
export function messageOf({ mail, sender, name, base }: MessageParts): SendMailOptions {
  const letter = letterOf({ mail, name, base })
  return {
    from: { name: sender.name ?? letter.name, address: sender.address },
    to: { name: '', address: mail.to },
    // Addresses are given as objects: nodemailer would parse texts and headers, and might read one address as two.
    envelope: { from: { name: '', address: sender.address }, to: [{ name: '', address: mail.to }] },
    subject: letter.subject,
    text: textOf(letter),
    html: htmlOf(letter),
    date: new Date(Math.floor(mail.atMicros / 1000)),
    messageId: `<${mail.id}@${sender.host}>`,
    headers: {
      // Automatic replies do not answer a mail with this header (RFC 3834, section 5).
      'Auto-Submitted': 'auto-generated',
      // Exchange sends no automatic replies to a mail with this header.
      'X-Auto-Response-Suppress': 'All',
    },
  }
}
