// Stands in for a vendor's service: a server on this machine that answers as the
// Messages API streams.
import { createServer } from 'node:http'

// startModel gives the server's address and the requests that it got. A key
// other than the one given is refused.
export async function startModel(key) {
  const requests = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      const given = request.headers['x-api-key']
      requests.push({ path: request.url, key: given, body })
      if (given !== key) {
        response.writeHead(401, { 'content-type': 'application/json' })
        const error = { type: 'authentication_error', message: 'invalid x-api-key' }
        response.end(JSON.stringify({ type: 'error', error }))
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of reply(JSON.parse(body).model)) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      response.end()
    })
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

function reply(model) {
  const message = {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 41, output_tokens: 1 },
  }
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ready' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ]
}
