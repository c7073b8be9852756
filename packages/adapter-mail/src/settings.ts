/** What is checked of the settings of mails, for programs that read them and may send none. It says what is wrong and never repeats it. */
export { mailFromError } from './mail-from.ts'
export { smtpUrlError } from './smtp-url.ts'
