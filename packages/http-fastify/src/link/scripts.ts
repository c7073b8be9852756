import { keptTyping, pageScript, localTimes, peeking, sendOnce } from '@sotto/html'

/** The script of the pages with the form that opens. */
export const formScript = pageScript(localTimes, sendOnce, peeking)

/** The script of the page of a request. */
export const requestScript = pageScript(localTimes, sendOnce, keptTyping)

/** The script of a page with nothing but a time. */
export const timesScript = pageScript(localTimes)
