/** Texts that agents send often. A small resource that stands alone: its table, its shapes, its description, its service. */
import { Column, Entity, PrimaryColumn } from 'typeorm'
import Type, { type Static } from 'typebox'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'
import { agent } from '../../infrastructure/http/endpoint.js'
import { pageQuery } from '../../infrastructure/http/lists.js'
import { Timestamp, Title, wellFormed } from '../../infrastructure/http/shapes.js'
import type { ResourceParts } from '../../infrastructure/resources/resource-rows.js'
import { type ResourceRow, ResourceService } from '../../infrastructure/resources/resource-service.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'

/** A text that agents send often. */
@Entity('canned_replies')
class CannedReply {
  /** `can_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column({ type: 'varchar', length: 1600 }) body!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}

const CreateCannedReply = Type.Object({
  title: Title(1, 64),
  body: Type.String({
    ...{ minLength: 1, maxLength: 1_600, pattern: wellFormed, 'x-rule': 'a well-formed text' },
    description: 'Placeholders in it are filled by the app that sends it',
  }),
})
type CreateCannedReply = Static<typeof CreateCannedReply>

const UpdateCannedReply = Type.Partial(CreateCannedReply)
type UpdateCannedReply = Static<typeof UpdateCannedReply>

const cannedReplyQuery = Type.Object({
  ...pageQuery(20).properties,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Looks at title and body' })),
})

const CannedReplyShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    body: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'CannedReply' },
)

export const cannedReplyResource = resource({
  ...{ path: '/call-center/canned-replies', tag: 'Conversations' },
  ...{ noun: 'canned reply', plural: 'canned replies' },
  auth: { read: agent(), write: agent('leader', 'supervisor') },
  ...{ id: 'can', table: CannedReply, search: ['title', 'body'] },
  order: { sort_field: 'title', sort_order: 'asc' },
  shape: CannedReplyShape,
  list: {
    query: cannedReplyQuery,
    description: 'By their titles. Placeholders in them are the app’s to fill.',
  },
  create: {
    body: CreateCannedReply,
    summary: 'Add a canned reply',
    errors: { 403: 'The workspace holds as many as it may' },
  },
  update: { body: UpdateCannedReply },
  delete: {},
})

class CannedReplies extends ResourceService<CannedReply, CreateCannedReply, UpdateCannedReply> {
  protected rowOf(base: ResourceRow, input: CreateCannedReply) {
    return { ...base, ...input }
  }

  protected changesOf(input: UpdateCannedReply) {
    return input
  }
}

export function cannedReplyEndpoints(parts: ResourceParts) {
  return cannedReplyResource.endpoints(new CannedReplies(cannedReplyResource, parts), withTimes)
}
