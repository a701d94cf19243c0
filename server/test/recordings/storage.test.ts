/** Both storages keep the same promises; S3 is spoken as Amazon documents it. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect } from 'chai'
import { DiskStorage } from '../../src/infrastructure/storage/disk-storage.js'
import { S3Storage } from '../../src/infrastructure/storage/s3-storage.js'
import {
  ContentMissingError,
  type Storage,
  StorageUnavailableError,
} from '../../src/infrastructure/storage/storage.js'
import { isSignedWith } from '../support/aws-signature.js'
import { S3 } from '../support/s3.js'

// A number of bytes that nothing divides.
const content = randomBytes(300_007)

async function read(stream: Readable): Promise<Buffer> {
  return Buffer.concat((await stream.toArray()) as Buffer[])
}

async function failure(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: unknown) => error as Error,
  )
}

describe('storage of files', () => {
  let folder: string
  let source: string
  let s3: S3
  const client: S3Storage[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jackfield-storage-'))
    source = join(folder, 'source.wav')
    await writeFile(source, content)
    s3 = await S3.start()
  })
  after(async () => {
    for (const one of client) one?.close()
    await s3?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  function s3Storage(changes: object = {}): S3Storage {
    const storage = new S3Storage({ ...s3.client, ...changes })
    client.push(storage)
    return storage
  }

  const kinds: Record<string, () => Storage> = {
    'on a disk': () => new DiskStorage(join(folder, 'kept')),
    'in S3': () => s3Storage(),
  }

  for (const [name, storageOf] of Object.entries(kinds)) {
    describe(name, () => {
      it('gives back what it was given, whole and in part, until it is removed', async () => {
        const storage = storageOf()
        const key = 'acme/2026/11/rec_1.wav'
        await storage.put(key, source, 'audio/wav')
        await storage.put(key, content, 'audio/wav')
        expect((await read(await storage.open(key))).equals(content)).to.equal(true)
        for (const [first, last] of [
          [0, 1],
          [100, 4_099],
          [300_005, 300_006],
          [0, 300_006],
        ] as const) {
          const part = await read(await storage.open(key, { first, last }))
          expect(part.equals(content.subarray(first, last + 1)), `${first}-${last}`).to.equal(true)
        }
        await storage.remove(key)
        await storage.remove(key)
        expect(await failure(storage.open(key))).to.be.instanceOf(ContentMissingError)
      })

      it('stops reading when its reader does', async () => {
        const storage = storageOf()
        await storage.put('acme/left.wav', source, 'audio/wav')
        const stream = await storage.open('acme/left.wav')
        stream.destroy()
        await storage.remove('acme/left.wav')
      })
    })
  }

  it('leaves nothing half on a disk', async () => {
    const kept = join(folder, 'whole')
    const storage = new DiskStorage(kept)
    expect(await failure(storage.put('a/b.wav', join(folder, 'no such file')))).to.be.instanceOf(
      StorageUnavailableError,
    )
    await storage.put('a/b.wav', source)
    expect(await readdir(join(kept, 'a'))).to.deep.equal(['b.wav'])
  })

  it('says why S3 did not do its work', async () => {
    const forged = await failure(s3Storage({ secretKey: 'wrong' }).put('k', source, 'audio/wav'))
    expect(forged).to.be.instanceOf(StorageUnavailableError)
    expect(forged.message).to.contain('SignatureDoesNotMatch')
    const unknown = await failure(s3Storage({ bucket: 'nowhere' }).put('k', source, 'audio/wav'))
    expect(unknown).to.be.instanceOf(StorageUnavailableError)
    expect(unknown.message).to.contain('NoSuchBucket')
    await s3.goAway()
    const storage = s3Storage()
    expect(await failure(storage.put('k', source, 'audio/wav'))).to.be.instanceOf(StorageUnavailableError)
    expect(await failure(storage.open('k'))).to.be.instanceOf(StorageUnavailableError)
    expect(await failure(storage.remove('k'))).to.be.instanceOf(StorageUnavailableError)
    await s3.comeBack()
    await storage.put('k', source, 'audio/wav')
    await storage.remove('k')
  })

  it('is checked by signatures that are computed as in Amazon’s own example', () => {
    // “GET Object” of the S3 documentation, “Signature Calculations for the Authorization Header”.
    const example = {
      method: 'GET',
      url: '/test.txt',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'x-amz-date': '20130524T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      },
    }
    const secretKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
    expect(isSignedWith(secretKey, example)).to.equal(true)
    expect(isSignedWith(secretKey, { ...example, url: '/other.txt' })).to.equal(false)
    expect(isSignedWith('another', example)).to.equal(false)
  })
})
