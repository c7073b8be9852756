/** @throws TypeError */
export function webUrl(text: string | URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TypeError('The address must be an http or https URL without a user name.')
  }
  return url
}
