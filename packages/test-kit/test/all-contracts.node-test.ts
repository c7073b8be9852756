import test from 'node:test'
import { runAllContracts } from './all-contracts.ts'

runAllContracts(test)
