import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, money, timestamp, word } from '../../infrastructure/database/columns.js'

export type AiProviderKind = 'openai_realtime' | 'cascaded'

/** A model or a voice as its provider calls it. Languages are BCP 47 tags; none means that it is not tied to any. */
export interface NamedOffer {
  id: string
  name: string
  languages: string[]
}

/** Who runs models that hear callers and speak with them; the operator's. */
@Entity('ai_providers')
export class AiProvider {
  /** `aip_…` */
  @PrimaryColumn(asciiId) id!: string
  /** Unique: what voice agents show as their provider. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) name!: string
  @Column(word) kind!: AiProviderKind
  /** The visible settings, in the shape of the kind. */
  @Column({ type: 'json' }) settings!: Readonly<Record<string, unknown>>
  /** The keys: a JSON object by the setting's path (`chat.api_key`), sealed. */
  @Column({ type: 'text', charset: 'ascii', collation: 'ascii_bin' }) secrets!: string
  @Column({ type: 'json' }) models!: NamedOffer[]
  @Column({ type: 'json' }) voices!: NamedOffer[]
  /** USD for each minute that a voice agent talks by its models. */
  @Column(money) price_per_minute!: number
  /** An inactive provider offers nothing, and takes no calls. */
  @Column(flag) is_active!: boolean
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
