/** Input for replies and notes. */
import { Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { dataOf } from '@jackfield/sdk'
import { type KeyboardEvent, useRef } from 'react'
import { api } from '../../../api/client'
import { longestText, useAttachedFiles } from '../../../api/uploads'
import { useAction } from '../../../api/use-action'
import { AttachButton, AttachmentList, pasteInto } from '../../../design/attachments'
import { TextSize } from '../../../design/message-text'
import { useTexts } from '../../../i18n/texts'
import { changeDraft, noteIsKept, useDraft } from '../drafts'
import { type Conversation, notesKey } from '../queries'
import { sendReply } from '../sending'
import { inboxTexts } from '../texts'
import { CannedReplyMenu } from './canned-reply-menu'
import { clientName } from './client-name'

/** Characters (docs/messages/conversations.md). */
const longest = { reply: longestText, note: 2_000 }

export function Composer({ conversation }: { conversation: Conversation }) {
  const t = useTexts(inboxTexts)
  const { id } = conversation
  const draft = useDraft(id)
  const { mode } = draft
  const text = draft[mode]
  const attachments = useAttachedFiles(draft.files)
  const field = useRef<HTMLTextAreaElement>(null)
  const isNote = mode === 'note'
  const write = (next: string) => changeDraft(id, { [mode]: next })
  const keeping = useAction({
    run: async (body: string) =>
      dataOf(api.POST('/call-center/conversations/{id}/notes', { params: { path: { id } }, body: { body } })),
    changes: [notesKey(id)],
    onDone: (_, body) => noteIsKept(id, body),
  })
  const isReady = isNote
    ? text.trim() !== '' && !keeping.isPending
    : (text.trim() !== '' || attachments.urls.length > 0) && attachments.isComplete
  const send = () => {
    if (!isReady) return
    if (isNote) keeping.mutate(text)
    else {
      sendReply(id, text, attachments.urls)
      attachments.clear()
      write('')
    }
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  const most = longest[mode]
  return (
    <div>
      <Group gap="xs" py="xs" justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('write')}
          value={mode}
          onChange={(value) => changeDraft(id, { mode: value })}
          data={[
            { value: 'reply', label: t('reply') },
            { value: 'note', label: t('note') },
          ]}
        />
        {!isNote && (
          <Group gap="xs">
            <CannedReplyMenu
              conversation={conversation}
              onChoose={(body) => {
                write(inserted(field.current, text, body).slice(0, most))
                // The menu first returns the focus to its button.
                requestAnimationFrame(() => field.current?.focus())
              }}
            />
            <AttachButton attachments={attachments} />
          </Group>
        )}
      </Group>
      {!isNote && <AttachmentList attachments={attachments} />}
      <Textarea
        ref={field}
        aria-label={isNote ? t('notePlaceholder') : t('replyPlaceholder', { name: clientName(conversation) })}
        placeholder={
          isNote ? t('notePlaceholder') : t('replyPlaceholder', { name: clientName(conversation) })
        }
        autosize
        minRows={2}
        maxRows={8}
        maxLength={most}
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={onKeyDown}
        {...(!isNote && { onPaste: pasteInto(attachments) })}
      />
      <Group justify="space-between" pt="xs" gap="xs">
        {text && !isNote ? (
          <TextSize text={text} />
        ) : (
          <Text size="xs" c="dimmed">
            {t('sendHint')}
          </Text>
        )}
        <Button
          leftSection={<IconSend size={16} />}
          onClick={send}
          disabled={!isReady}
          loading={keeping.isPending}
          aria-keyshortcuts="Control+Enter"
        >
          {t(isNote ? 'writeNote' : 'send')}
        </Button>
      </Group>
    </div>
  )
}

/** Inserts a text at the cursor. */
function inserted(field: HTMLTextAreaElement | null, text: string, more: string): string {
  const [from, to] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length]
  return text.slice(0, from) + more + text.slice(to)
}
