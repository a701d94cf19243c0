/** Small rules: ids, secrets, addresses, numbers, prices. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { newId } from '../../src/infrastructure/database/ids.js'
import { type Span, pageOfRows } from '../../src/infrastructure/database/paged.js'
import { anywhere } from '../../src/infrastructure/database/search.js'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { dialledNumber, internationalNumber, nationalNumber } from '../../src/lib/numbering/e164.js'
import { isAddressOrBlock, isHost, isHostName } from '../../src/lib/hosts.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'

describe('ids', () => {
  it('have their prefix, and sort in the order of their making', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('call'))
    expect(ids).to.deep.equal([...ids].sort())
    expect(new Set(ids).size).to.equal(ids.length)
    for (const id of ids.slice(0, 100)) expect(id).to.match(/^call_[0-9a-z]{26}$/)
  })
})

describe('pages of rows', () => {
  const listOf = (total: number) => {
    const all = Array.from({ length: total }, (_, index) => index)
    const asked = { counts: 0, furthest: 0 }
    const rows = async ({ limit, offset, isBackward }: Span) => {
      asked.furthest = Math.max(asked.furthest, offset)
      return Promise.resolve((isBackward ? all.toReversed() : all).slice(offset, offset + limit))
    }
    const count = async () => {
      asked.counts += 1
      return Promise.resolve(total)
    }
    return {
      all,
      asked,
      page: async (page: number, limit: number) => pageOfRows({ page, limit }, rows, count),
    }
  }

  it('are those of the whole list, with how many it has', async () => {
    for (const total of [0, 1, 19, 20, 21, 40, 2_000, 2_001, 2_019, 5_000])
      for (const page of [1, 2, 3, 50, 51, 52, 99, 100, 101, 102, 125, 249, 250, 251]) {
        const { all, page: read } = listOf(total)
        const found = await read(page, 20)
        expect(found, `page ${page} of ${total}`).to.deep.equal({
          rows: all.slice((page - 1) * 20, page * 20),
          total,
        })
      }
  })

  it('are counted only where the page does not tell, and read from the closer end', async () => {
    const counts = async (total: number, page: number) => {
      const { asked, page: read } = listOf(total)
      await read(page, 20)
      return asked.counts
    }
    expect(await counts(0, 1)).to.equal(0)
    expect(await counts(20, 1)).to.equal(0)
    expect(await counts(21, 1)).to.equal(1)
    expect(await counts(21, 2)).to.equal(0)
    expect(await counts(20, 2)).to.equal(1)
    const { asked, page } = listOf(100_000)
    await page(5_000, 20)
    expect(asked.furthest).to.equal(0)
    await page(4_990, 20)
    expect(asked.furthest).to.equal(200)
  })
})

describe('the secret box', () => {
  const box = new SecretBox(new Keyring(randomBytes(32)))

  it('gives back what was sealed, and seals differently each time', () => {
    for (const plain of ['', 'secret', '😀'.repeat(100)]) {
      expect(box.open(box.seal(plain, 'x'), 'x')).to.equal(plain)
      expect(box.seal(plain, 'x')).not.to.equal(box.seal(plain, 'x'))
    }
    expect(box.seal('secret', 'x')).not.to.include('secret')
  })

  it('refuses what was changed, another purpose and another key', () => {
    const sealed = box.seal('secret', 'gateway:1')
    expect(() => box.open(sealed, 'gateway:2')).to.throw()
    expect(() => new SecretBox(new Keyring(randomBytes(32))).open(sealed, 'gateway:1')).to.throw()
    for (let index = 0; index < sealed.length; index++) {
      // The last letter of a part holds bits that belong to no byte.
      if (sealed[index] === '.' || sealed[index + 1] === '.' || index === sealed.length - 1) continue
      const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
      expect(() => box.open(changed, 'gateway:1'), String(index)).to.throw()
    }
    for (const nonsense of ['', 'secret', 'v1...', 'v1.a.b', 'v2.a.b.c'])
      expect(() => box.open(nonsense, 'x')).to.throw()
  })

  it('refuses a tag that was shortened', () => {
    const parts = box.seal('secret', 'x').split('.')
    const tag = Buffer.from(parts[3]!, 'base64url')
    for (const length of [4, 8, 12]) {
      const short = [...parts.slice(0, 3), tag.subarray(0, length).toString('base64url')].join('.')
      expect(() => box.open(short, 'x'), `${length} bytes`).to.throw()
    }
  })
})

describe('hosts', () => {
  it('are addresses or names', () => {
    for (const host of [
      '192.0.2.1',
      '::1',
      'a',
      'sip.example.com',
      'xn--bcher-kva.example',
      'x'.repeat(63),
    ]) {
      expect(isHost(host), host).to.equal(true)
    }
    const bad = [
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      '-a',
      'a-',
      'a_b',
      'a b',
      '1.2.3',
      '256.1.1.1',
      'é',
      'x'.repeat(64),
      'a\n',
      '[::1]',
      'fe80::1%lo',
    ]
    for (const host of bad) expect(isHost(host), host).to.equal(false)
    expect(isHostName(`${'abc.'.repeat(63)}a`)).to.equal(true)
    expect(isHostName(`${'abc.'.repeat(63)}ab`)).to.equal(false)
  })

  it('and blocks have a prefix of their family', () => {
    for (const block of ['0.0.0.0/0', '192.0.2.1/32', '::/0', '2001:db8::/128']) {
      expect(isAddressOrBlock(block), block).to.equal(true)
    }
    for (const block of [
      '192.0.2.1/33',
      '::/129',
      '1.1.1.1/-1',
      '1.1.1.1/1.5',
      '1.1.1.1/08',
      '/8',
      '1.1.1.1/8/8',
      '::ffff/x',
    ]) {
      expect(isAddressOrBlock(block), block).to.equal(false)
    }
  })
})

describe('numbers in E.164', () => {
  for (const [dialled, country, digits] of [
    ['+442079460123', 'US', '442079460123'],
    ['2025550100', 'US', '12025550100'],
    ['12025550100', 'US', '12025550100'],
    ['011442079460123', 'US', '442079460123'],
    ['00442079460123', 'US', '442079460123'],
    ['442079460123', 'US', undefined],
    ['02079460123', 'GB', '442079460123'],
    ['0012025550100', 'GB', '12025550100'],
    ['030123456', 'DE', '4930123456'],
    ['911', 'US', undefined],
    ['5550100', 'US', undefined],
    ['110', 'DE', undefined],
    ['20255501aa', 'US', undefined],
    ['', 'US', undefined],
    ['2025550100', '', undefined],
  ] as const) {
    it(`reads ${dialled || 'nothing'}, dialled in ${country || 'no country'}, as ${digits ?? 'no number'}`, () => {
      expect(dialledNumber(dialled, country)?.digits).to.equal(digits)
    })
  }

  it('are of a country, of several that share a code, or of none', () => {
    const countriesOf = (text: string) => internationalNumber(text)?.countries
    expect(countriesOf('+18765550100')).to.deep.equal(['JM'])
    expect(countriesOf('+88216123456789')).to.deep.equal([])
    // No exchange begins with 1: a number of the North American plan, and of no country in it.
    expect(countriesOf('+12021550100')).to.include.members(['US', 'CA', 'JM'])
  })

  it('are read with and without their plus sign', () => {
    expect(internationalNumber('+12025550100')).to.deep.include({ digits: '12025550100', dialCode: '1' })
    expect(internationalNumber('4930123456')).to.deep.include({ digits: '4930123456', dialCode: '49' })
    for (const text of [
      '',
      '+',
      '0',
      '+0123456789',
      '12',
      '+1202555010',
      'abc',
      '+1 202 555 0100',
      '+12025550100x5',
      '+' + '1'.repeat(16),
    ]) {
      expect(internationalNumber(text), text).to.equal(null)
    }
  })

  it('are joined from a country and a national number', () => {
    expect(nationalNumber('2025550100', 'US')?.digits).to.equal('12025550100')
    expect(nationalNumber('15123456789', 'DE')).to.deep.equal({
      digits: '4915123456789',
      dialCode: '49',
      type: 'mobile',
      countries: ['DE'],
    })
    expect(nationalNumber('8005550100', 'US')?.type).to.equal('tollfree')
    for (const [number, country] of [
      ['123456', 'US'],
      ['2025550100', 'XX'],
      ['2025550100', ''],
      ['2025550100', '__proto__'],
    ]) {
      expect(nationalNumber(number!, country!), `${number} ${country}`).to.equal(null)
    }
  })
})

describe('searches', () => {
  it('take no sign of the text for a placeholder', () => {
    const [, parameters] = anywhere(['title'], '50%_!')
    expect(parameters).to.deep.equal({ pattern0: '%50!%!_!!%' })
  })
})
