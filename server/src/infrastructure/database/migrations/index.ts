import { Baseline1790000001000 } from './1000-baseline.js'
import { DestinationLegs1790000001001 } from './1001-destination-legs.js'

export const migrations = [Baseline1790000001000, DestinationLegs1790000001001]
