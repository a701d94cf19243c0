/** Choices of models and voices: what active providers offer, and what is chosen though nobody offers it any more. */
import type { Offer } from '../queries'

export interface Choice {
  group: string
  items: { value: string; label: string }[]
}

function labelOf({ name, languages }: Offer): string {
  return languages.length > 0 ? `${name} (${languages.join(', ')})` : name
}

/** @param lacking group of the chosen one where nobody offers it */
export function choicesOf(offers: readonly Offer[], chosen: string | null, lacking: string): Choice[] {
  const providers = [...new Set(offers.map(({ provider }) => provider))]
  // The same id may not stand twice in one list: the first that offers it has it.
  const seen = new Set<string>()
  const isFirst = ({ id }: Offer) => !seen.has(id) && seen.add(id).size > 0
  const groups = providers.map((provider) => ({
    group: provider,
    items: offers
      .filter((offer) => offer.provider === provider && isFirst(offer))
      .map((offer) => ({ value: offer.id, label: labelOf(offer) })),
  }))
  const isOffered = chosen === null || offers.some(({ id }) => id === chosen)
  return isOffered ? groups : [{ group: lacking, items: [{ value: chosen, label: chosen }] }, ...groups]
}

/** The voices that can speak with a model: those of its provider. */
export function voicesFor(
  modelId: string,
  models: readonly Offer[],
  voices: readonly Offer[],
): readonly Offer[] {
  const provider = models.find(({ id }) => id === modelId)?.provider
  return voices.filter((voice) => voice.provider === provider)
}

/** What people call it. */
export function nameOf(offers: readonly Offer[], id: string): string {
  return offers.find((offer) => offer.id === id)?.name ?? id
}
