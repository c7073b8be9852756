/** Sotto's mail sender on SMTP. */
export { createMailSender, type MailSenderOptions, type SmtpMailSender } from './mail-sender.ts'
