/**
 * Sotto's mail sender on SMTP. The two checks are for settings: they say what is wrong with a value and never repeat it.
 */

export { mailFromError } from './mail-from.ts'
export { createMailSender, type MailSenderOptions, type SmtpMailSender } from './mail-sender.ts'
export { smtpUrlError } from './smtp-url.ts'
