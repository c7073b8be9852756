import {
  keptTyping,
  linkScript,
  localTimes,
  pageScript,
  peeking,
  sealedRequestScript,
  sendOnce,
  shownLater,
} from '@sotto/html'

/** The script of the pages with the form that opens. */
export const formScript = pageScript(localTimes, sendOnce, peeking)

/**
 * The one script of every page of a sealed link that is not opened yet, whatever the page has: people compare its digest. It is also that of
 * the pages that may be about a sealed link, so that they lead back to it with its key.
 */
export const sealedLinkScript = pageScript(linkScript, localTimes, sendOnce, peeking, shownLater)

/** The script of the page of a request. */
export const requestScript = pageScript(localTimes, sendOnce, keptTyping)

/** The one script of the page of a request whose answers only its owner decrypts. It refuses a second press first. */
export const sealedRequestPageScript = pageScript(localTimes, sendOnce, sealedRequestScript, keptTyping)

/** The script of a page with nothing but a time. */
export const timesScript = pageScript(localTimes)
