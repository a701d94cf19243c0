/** The countries of the numbers that carriers bring texts for: national forms are read by them. */
import type { EntityManager } from 'typeorm'

/** How long they are cached: a carrier may have very many numbers. */
const rememberedMs = 30_000
/** Texts for unknown numbers must not each ask the database. */
const leastMs = 1_000
/** Carriers of which they are remembered. */
const most = 1_000

export class CarrierCountries {
  private readonly known = new Map<string, { countries: readonly string[]; at: number }>()

  /** @returns ISO 3166-1 codes @param isFresh asks the database unless it was asked just now */
  async of(
    tx: EntityManager,
    carrierId: string,
    { isFresh = false }: { isFresh?: boolean } = {},
  ): Promise<readonly string[]> {
    const known = this.known.get(carrierId)
    const goodForMs = isFresh ? leastMs : rememberedMs
    if (known && Date.now() - known.at < goodForMs) return known.countries
    const rows = await tx.query<{ country_code: string }[]>(
      `SELECT DISTINCT number.country_code FROM number_carriers assigned
       JOIN phone_numbers number ON number.id = assigned.phone_number_id WHERE assigned.carrier_id = ?`,
      [carrierId],
    )
    const countries = rows.map(({ country_code }) => country_code)
    this.known.delete(carrierId)
    this.known.set(carrierId, { countries, at: Date.now() })
    const [oldest] = this.known.keys()
    if (this.known.size > most && oldest !== undefined) this.known.delete(oldest)
    return countries
  }
}
