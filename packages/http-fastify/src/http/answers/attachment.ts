/**
 * The `Content-Disposition` of a file that is saved and never shown (RFC 6266). A name beyond plain ASCII is there twice: for clients that
 * know RFC 8187, and with other characters replaced.
 */
export function attachment(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/gu, '_')
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${extended(name)}`
}

/** The name of a file with a text: its title, without what a file system gives a meaning to. */
export function textFileName(title: string): string {
  return `${title.replace(/[\\/:*?"<>|\p{C}]+/gu, '-').slice(0, 80)}.txt`
}

/** The characters that `encodeURIComponent` leaves and RFC 8187, section 3.2.1, does not. */
function extended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
