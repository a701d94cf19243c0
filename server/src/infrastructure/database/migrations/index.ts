import { Baseline1790000001000 } from './1000-baseline.js'

export const migrations = [Baseline1790000001000]
