/** Samples a second, of sound between the switch and a model. The switch resamples what the other leg of a bridge speaks. */
export type SampleRate = 8000 | 16000 | 24000
