import { pageScript, copying, localTimes, peeking, saving, sendOnce, timeLeft } from '@sotto/html'

/** The script of the pages with the form that opens. */
export const formScript = pageScript(localTimes, sendOnce, peeking)

/** The script of a page with nothing but a time. */
export const timesScript = pageScript(localTimes)

/** The script of an opened message. */
export const openedScript = pageScript(localTimes, copying, saving)

/** The script of an opened message with files. */
export const openedFilesScript = pageScript(localTimes, copying, saving, timeLeft)
