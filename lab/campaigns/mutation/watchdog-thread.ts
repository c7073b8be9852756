// Ends the process when its main thread has worked for long without a turn of its event loop.
import { workerData } from 'node:worker_threads'

const busyMillisMax = 20_000

const beats = new Int32Array(workerData as SharedArrayBuffer)
let last = -1
let atLast = process.cpuUsage()
setInterval(() => {
  const beat = Atomics.load(beats, 0)
  if (beat !== last) {
    last = beat
    atLast = process.cpuUsage()
    return
  }
  const { user, system } = process.cpuUsage(atLast)
  if ((user + system) / 1_000 > busyMillisMax) process.kill(process.pid, 'SIGKILL')
}, 200)
