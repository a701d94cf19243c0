/** Where replies and notes are written. */
import {
  ActionIcon,
  Button,
  FileButton,
  Group,
  SegmentedControl,
  Text,
  Textarea,
  Tooltip,
} from '@mantine/core'
import { IconPaperclip, IconSend } from '@tabler/icons-react'
import { dataOf } from '@jackfield/sdk'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { useTexts } from '../../../i18n/texts'
import { draftOf, keepDraft } from '../drafts'
import { type Conversation, notesKey } from '../queries'
import { segmentsOf } from '../segments'
import { sendReply } from '../sending'
import { inboxTexts } from '../texts'
import { acceptedTypes, maxFiles, useAttachments } from '../uploads'
import { AttachmentList } from './attachment-list'
import { CannedReplyMenu } from './canned-reply-menu'
import { clientName } from './client-name'

/** Characters (contract, Limits; docs/conversations.md). */
const longest = { reply: 1_600, note: 2_000 }

export function Composer({ conversation }: { conversation: Conversation }) {
  const t = useTexts(inboxTexts)
  const { id } = conversation
  const [mode, setMode] = useState<'reply' | 'note'>('reply')
  const [text, setText] = useState(() => draftOf(id))
  const attachments = useAttachments()
  const field = useRef<HTMLTextAreaElement>(null)
  const isNote = mode === 'note'
  const write = (next: string) => {
    setText(next)
    keepDraft(id, next)
  }
  const keeping = useAction({
    run: async (body: string) =>
      dataOf(api.POST('/call-center/conversations/{id}/notes', { params: { path: { id } }, body: { body } })),
    changes: [notesKey(id)],
    onDone: () => write(''),
  })
  const media_urls = attachments.files.flatMap(({ media }) => media?.url ?? [])
  const isReady = isNote
    ? text.trim() !== '' && !keeping.isPending
    : (text.trim() !== '' || media_urls.length > 0) && !attachments.isUploading
  const send = () => {
    if (!isReady) return
    if (isNote) keeping.mutate(text)
    else {
      sendReply(id, text, media_urls)
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
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (isNote || files.length === 0) return
    event.preventDefault()
    attachments.add(files)
  }
  const most = longest[mode]
  return (
    <div>
      <Group gap="xs" py="xs" justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('write')}
          value={mode}
          onChange={(value) => setMode(value)}
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
                // The menu gives the focus back to its button first.
                requestAnimationFrame(() => field.current?.focus())
              }}
            />
            <FileButton
              multiple
              accept={acceptedTypes}
              onChange={(files) => attachments.add(files)}
              disabled={attachments.files.length >= maxFiles}
            >
              {(props) => (
                <Tooltip label={t('attach')}>
                  <ActionIcon {...props} variant="default" size="lg" aria-label={t('attach')}>
                    <IconPaperclip size={18} />
                  </ActionIcon>
                </Tooltip>
              )}
            </FileButton>
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
        onPaste={onPaste}
      />
      <Group justify="space-between" pt="xs" gap="xs">
        <Text size="xs" c="dimmed">
          {text && !isNote
            ? t('characters', { used: [...text].length, most, segments: segmentsOf(text) })
            : t('sendHint')}
        </Text>
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

/** A text with another one put where the cursor is. */
function inserted(field: HTMLTextAreaElement | null, text: string, more: string): string {
  const [from, to] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length]
  return text.slice(0, from) + more + text.slice(to)
}
