import { pageScript } from '../../design/embedded.ts'
import { copying, localTimes, peeking, saving, sendOnce } from '../../design/script.ts'

/** The script of the pages with the form that opens. */
export const formScript = pageScript(localTimes, sendOnce, peeking)

/** The script of a page with nothing but a time. */
export const timesScript = pageScript(localTimes)

/** The script of an opened message. */
export const openedScript = pageScript(localTimes, copying, saving)
