/** Audio as bytes: 16-bit samples, little endian, mono. */
import { endianness } from 'node:os'

const isLittle = endianness() === 'LE'

export function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.from(samples.slice().buffer)
  return isLittle ? bytes : bytes.swap16()
}

/** Reads samples from bytes that are split anywhere. */
export class SampleReader {
  /** The first byte of an incomplete sample. */
  private half: Buffer = Buffer.alloc(0)

  read(bytes: Buffer): Int16Array {
    const all = Buffer.concat([this.half, bytes])
    const whole = all.length - (all.length % 2)
    this.half = all.subarray(whole)
    const copy = Buffer.alloc(whole)
    all.copy(copy, 0, 0, whole)
    if (!isLittle) copy.swap16()
    return new Int16Array(copy.buffer, copy.byteOffset, whole / 2)
  }
}

/** Cuts samples into frames of one length. */
export class FrameCutter {
  private rest = new Int16Array(0)

  /** @param length samples per frame */
  constructor(private readonly length: number) {}

  cut(samples: Int16Array): Int16Array[] {
    const all = new Int16Array(this.rest.length + samples.length)
    all.set(this.rest)
    all.set(samples, this.rest.length)
    const frames: Int16Array[] = []
    let start = 0
    for (; start + this.length <= all.length; start += this.length) {
      frames.push(all.slice(start, start + this.length))
    }
    this.rest = all.slice(start)
    return frames
  }
}
