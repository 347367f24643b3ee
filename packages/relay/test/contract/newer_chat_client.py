"""Clients of the newer chat frames, from their description alone, with Python's standard library.

Usage: newer_chat_client.py RELAY PERSON_TOKEN PROXY_TOKEN. Prints one line for each feature that works.
"""

import json, sys, urllib.request
from datetime import datetime, timedelta, timezone
from web_socket import WebSocket

RELAY, PERSON, PROXY = sys.argv[1:4]


def now(later=0):
    time = datetime.now(timezone.utc) + timedelta(seconds=later)
    return time.isoformat(timespec='milliseconds').replace('+00:00', 'Z')


class Peer(WebSocket):
    def __init__(self, token, role, **hello):
        super().__init__(RELAY, '/ws/chat', token)
        self.send(type='connection_hello', peer_role=role, client_name='python', **hello)
        self.ack = self.expect('connection_ack')

    def send(self, **frame):
        super().send(protocol_version=1, **frame)

    def settle(self, mark):
        """Everything that was sent before has been handled."""
        self.send(type='heartbeat', request_id=mark)
        self.expect('heartbeat_ack', request_id=mark)


def call(method, path, body=None):
    request = urllib.request.Request(RELAY + path, None if body is None else json.dumps(body).encode(), {
        'Authorization': f'Bearer {PERSON}', 'Content-Type': 'application/json'}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def session(name, **more):
    return {'session_id': name, 'agent_type': 'claude', 'agent_name': name, 'machine_label': 'desk',
            'workspace_path': '/code', 'display_name': name, 'status': 'healthy',
            'activity': {'kind': 'working', 'label': 'Tests'}, 'last_seen_at': now(), **more}


def announce(*sessions):
    proxy.send(type='proxy_session_snapshot', sessions=list(sessions))


def say(name, content, **more):
    proxy.send(type='proxy_message', session_id=name,
               message={'role': 'assistant', 'content': content, 'created_at': now(), **more})


def done(feature):
    print('ok', feature, flush=True)


proxy = Peer(PROXY, 'proxy', machine_label='desk', protocol='chat')
browser = Peer(PERSON, 'browser')
old = Peer(PERSON, 'browser')

# An agent type and session fields of a newer version.
announce(session('s1', project_root='/code', session_kind='operator'), session('s2', agent_type='cursor_cli'))
ups = {up['session']['session_id']: up['session'] for up in (browser.expect('session_up') for _ in range(2))}
assert ups['s1']['project_root'] == '/code' and ups['s1']['session_kind'] == 'operator', ups
assert (ups['s2']['agent_type'], ups['s2']['agent_type_name']) == ('unknown', 'cursor_cli'), ups
assert ups['s2']['agent_name'] == 's2' and ups['s2']['activity']['kind_name'] == 'working', ups
done('agent types')

# content_blocks and unknown fields survive storage and replay.
blocks = [{'type': 'terminal', 'command': 'make', 'stdout': 'x', 'stderr': '', 'exit_code': 0},
          {'type': 'of_tomorrow', 'n': [1, None, {'a': 'ä'}]}]
say('s1', 'Built.', content_blocks=blocks, source_message_id='m-1', source_cursor={'generation': 1}, later={'x': 1.5})
say('s1', 'Built.', content_blocks=blocks, source_message_id='m-1', source_cursor={'generation': 1}, later={'x': 1.5})
live = browser.expect('message_event', session_id='s1')['message']
assert live['content_blocks'] == blocks and live['later'] == {'x': 1.5}, live
# Field by field as written, also what a program of another language would write otherwise.
written = '"far":{"price": 10.50, "serial": 98765432109876543210, "2": -0, "1": ["\\u00e4", 1e400]}'
proxy.send_text('{"type": "proxy_message", "protocol_version": 1, "session_id": "s2", "message": {"role": "assistant", '
                f'"content": "Exact.", "created_at": "{now()}", {written}}}}}')
browser.expect('message_event', session_id='s2')
assert written in browser.text, browser.text
browser.send(type='history_request', session_id='s2')
browser.expect('history_snapshot', session_id='s2')
assert written in browser.text, browser.text
for count in range(2, 7):
    say('s1', f'Message {count}.', source_message_id=f'm-{count}')
proxy.settle('p1')
browser.send(type='history_request', session_id='s1', full=True)
everything = browser.expect('history_snapshot')['messages']
assert len(everything) == 6 and everything[0]['content_blocks'] == blocks, everything
done('content_blocks')

# The latest messages, then older ones.
browser.send(type='history_request', session_id='s1', limit=2)
tail = browser.expect('history_snapshot')
assert (tail['partial'], tail['total_messages'], tail['loaded_messages']) == (True, 6, 2), tail
assert [each['content'] for each in tail['messages']] == ['Message 5.', 'Message 6.'], tail
done('partial history')
chunk = {'type': 'history_chunk_request', 'session_id': 's1', 'source': 'relay_sqlite', 'limit': 4}
browser.send(**chunk, request_id='h1', mode='tail')
newest = browser.expect('history_chunk', request_id='h1')
assert newest['partial'] and len(newest['messages']) == 4, newest
browser.send(**chunk, request_id='h2', mode='older', before_id=newest['cursor']['next_before_id'])
oldest = browser.expect('history_chunk', request_id='h2')
assert oldest['cursor']['next_before_id'] is None and not oldest['partial'], oldest
assert [each['content'] for each in oldest['messages'] + newest['messages']] == \
    [each['content'] for each in everything]
middle = next(each['id'] for each in newest['messages'] if each['content'] == 'Message 4.')
browser.send(**chunk, request_id='h3', mode='around', around_id=middle)
around = browser.expect('history_chunk', request_id='h3')
assert around['mode'] == 'around' and middle in [each['id'] for each in around['messages']], around
done('history chunks')

# A subscriber of s1 gets a summary of s2; an old browser gets everything.
browser.send(type='subscribe', request_id='q1', sessions=['s1'])
assert browser.expect('subscription_ack', request_id='q1')['sessions'] == ['s1']
say('s2', 'Elsewhere.')
summary = browser.expect('session_summary', session_id='s2')
assert summary['last_snippet'] == 'Elsewhere.' and summary['unread_delta'] == 1, summary
old.expect('message_event', session_id='s2')
for wrong in ('all', ['s'] * 129):
    browser.send(type='subscribe', request_id='q2', sessions=wrong)
    assert browser.expect('connection_error', request_id='q2')['code'] == 'invalid_subscription'
done('subscribe')

# Details that only this relay's own agents send come as blocks.
say('s1', 'npm test', metadata={'details': {'kind': 'tool_call', 'tool_call_id': 't1', 'title': 'npm test',
                                            'status': 'completed', 'output': '3 passed'}})
message = {}
while message.get('content') != 'npm test':
    message = browser.expect('message_event', session_id='s1')['message']
made = message['content_blocks']
assert [each['type'] for each in made] == ['tool_call', 'tool_result'], made
assert made[1]['content'] == '3 passed' and made[1]['call_id'] == 't1', made
done('details as blocks')

announce(session('s1', display_name='Renamed'), session('s2', agent_type='cursor_cli'))
patch = browser.expect('session_patch', session_id='s1')
assert patch['patch']['display_name'] == 'Renamed' and patch['state_seq'] > summary['state_seq'], patch
done('session_patch')

delta = {'type': 'message_delta', 'session_id': 's1', 'message_id': 'turn-4', 'role': 'assistant', 'block_index': 0,
         'block_type': 'text'}
proxy.send(**delta, seq=0, op='block_open')
proxy.send(**delta, seq=1, op='append', append='Hel')
proxy.send(**delta, seq=5, op='append', append='lost')
proxy.send(**delta, seq=2, op='append', append='lo')
proxy.send(**delta, seq=3, op='block_close')
streamed = [browser.expect('message_delta') for _ in range(4)]
assert ''.join(each.get('append', '') for each in streamed) == 'Hello', streamed
done('message_delta')

proxy.send(type='chat_list', session_id='s1', read_at=now(), chats=[{'id': 'c1', 'kind': 'chat', 'title': 'Tests'}])
assert browser.expect('chat_list')['chats'][0]['title'] == 'Tests'
done('chat_list')

# A stop counts only with its receipt.
proxy.send(type='agent_config', session_id='s1', model_id='m', capabilities={
    'interrupt': True, 'interrupt_method': 'native_stop'})
browser.expect('agent_config', session_id='s1')


def turn(number):
    announce(session('s1', session_generation=4, turn_generation=number), session('s2', agent_type='cursor_cli'))
    proxy.settle(f'turn {number}')


def stop(request_id, number, **receipt):
    """Asks for a stop of a turn, answers it as the proxy, and returns what the browser gets."""
    browser.send(type='agent_interrupt', request_id=request_id, session_id='s1', session_generation=4,
                 turn_generation=number, connection_id=browser.ack['connection_id'])
    if receipt:
        asked = proxy.expect('agent_interrupt')
        proxy.send(type='agent_control_result', request_id=asked['request_id'], session_id='s1',
                   command='agent_interrupt', result='ok', **receipt)
    return browser.expect('agent_control_result', request_id=request_id)


turn(1)
first = stop('i1', 1, native_acknowledged=True, details={'native_acknowledged': True, 'native_operations': 1})
assert first['result'] == 'ok' and first['native_acknowledged'] is True, first
again = stop('i2', 1)
assert again['result'] == 'ok' and again['replayed'] is True, again
turn(2)
stale = stop('i3', 1)
assert stale['result'] == 'failed', stale
unsure = stop('i4', 2, details={})
assert unsure['result'] == 'failed' and unsure['error']['code'] == 'native_receipt_missing', unsure
retried = stop('i5', 2, native_acknowledged=True)
assert retried['result'] == 'ok' and 'replayed' not in retried, retried
done('stop receipts')

# The stages of a send, each once; an acceptance that is repeated says so.
send = {'type': 'send_message', 'session_id': 's1', 'client_message_id': 'c-1', 'content': 'Go.', 'created_at': now()}
browser.send(**send)
accepted = browser.expect('message_accepted', client_message_id='c-1')
attempt = proxy.expect('send_message', client_message_id='c-1')['attempt']
stage = {'session_id': 's1', 'client_message_id': 'c-1'}
queued = [{'type': 'queued_message', 'label': 'Queued', 'content': 'Go.', 'client_message_id': 'c-1'}]
for _ in range(2):
    proxy.send(type='proxy_send_result', **stage, result='launch_accepted', attempt=attempt)
    proxy.send(type='message_queued', **stage, content='Go.', content_blocks=queued)
proxy.send(type='native_queue', session_id='s1', items=[{'text': 'Go.', 'content_blocks': queued}])
proxy.settle('p2')
assert browser.expect('proxy_send_result', **stage)['result'] == 'launch_accepted'
assert browser.expect('message_queued', **stage)['content_blocks'] == queued
assert browser.expect('native_queue')['items'][0]['text'] == 'Go.'
proxy.send(type='proxy_send_result', **stage, result='delivered', attempt=attempt, delivered_at=now(),
           lifecycle='native_user_turn_observed')
browser.expect('message_delivered', **stage)
for _ in range(2):
    proxy.send(type='agent_started', **stage, delivered_at=now(), started_at=now(), native_start={'source': 'log'})
proxy.settle('p3')
assert browser.expect('agent_started', **stage)['native_start'] == {'source': 'log'}
browser.send(**send)
again = browser.expect('message_accepted', client_message_id='c-1')
assert again['replayed'] is True and 'replayed' not in accepted, again
assert again['sequence'] == accepted['sequence'] and again['event_id'] == accepted['event_id'], again
browser.settle('b1')
for kind in ('proxy_send_result', 'message_queued', 'native_queue', 'agent_started'):
    assert not browser.has(kind), kind
done('stages of a send')

# A goal is paused and resumed with a receipt, where the agent can; no screen loses it while the agent rests.
goal = {'objective': 'All tests pass'}
proxy.send(type='proxy_status', session_id='s1', activity={'kind': 'generating', 'goal': goal})


def control(request_id, action, **receipt):
    browser.send(type='agent_goal_control', request_id=request_id, session_id='s1', action=action,
                 session_generation=4, goal_generation=1, goal_transition_seq=7)
    if receipt:
        asked = proxy.expect('agent_goal_control')
        assert (asked['action'], asked['goal_transition_seq']) == (action, 7), asked
        proxy.send(type='agent_control_result', request_id=asked['request_id'], session_id='s1',
                   command='agent_goal_control', **receipt)
    return browser.expect('agent_control_result', request_id=request_id)


unable = control('g1', 'pause')
assert (unable['result'], unable['error']['code']) == ('failed', 'control_not_supported'), unable
proxy.send(type='agent_config', session_id='s1', model_id='m', capabilities={
    'interrupt': True, 'interrupt_method': 'native_stop', 'goal_pause_resume': True})
browser.expect('agent_config', session_id='s1')
paused = control('g2', 'pause', result='ok', native_acknowledged=True)
assert paused['result'] == 'ok' and paused['native_acknowledged'] is True, paused


def status_with(state):
    while True:
        activity = browser.expect('session_status', session_id='s1')['activity']
        if activity.get('goal_state') == state:
            return activity


assert status_with('paused')['goal'] == goal
unsure = control('g3', 'resume', result='ok')
assert unsure['result'] == 'failed' and unsure['error']['code'] == 'native_receipt_missing', unsure
resumed = control('g4', 'resume', result='ok', native_acknowledged=True)
assert resumed['result'] == 'ok' and status_with('active')['goal'] == goal, resumed
done('goals')

# Scheduled sends: one at a time, one when the agent becomes idle, one taken back.
job = call('POST', '/api/scheduled-sends', {'session_id': 's1', 'content': 'Next.', 'trigger_kind': 'idle'})['scheduled_send']
assert job['state'] == 'pending' and job['client_message_id'].startswith('scheduled-send-'), job
assert browser.expect('scheduled_send_status')['scheduled_send']['id'] == job['id']
other = call('POST', '/api/scheduled-sends', {
    'session_id': 's1', 'content': 'Never.', 'trigger_kind': 'at', 'deliver_at': now(3600)})['scheduled_send']
listed = call('GET', '/api/scheduled-sends?session_id=s1')['scheduled_sends']
assert {each['id'] for each in listed} == {job['id'], other['id']}, listed
call('DELETE', f'/api/scheduled-sends/{other["id"]}')
proxy.send(type='proxy_status', session_id='s1', activity={'kind': 'idle'})
sent = proxy.expect('send_message')
assert sent['client_message_id'] == job['client_message_id'] and sent['content'] == 'Next.', sent
proxy.send(type='proxy_send_result', session_id='s1', client_message_id=sent['client_message_id'], result='delivered')
states = []
while states[-1:] != ['completed']:
    status = browser.expect('scheduled_send_status')['scheduled_send']
    if status['id'] == job['id']:
        states.append(status['state'])
assert states == ['dispatching', 'completed'], states
soon = call('POST', '/api/scheduled-sends', {
    'session_id': 's1', 'content': 'Soon.', 'trigger_kind': 'at', 'deliver_at': now(1)})['scheduled_send']
assert proxy.expect('send_message')['client_message_id'] == soon['client_message_id']
done('scheduled sends')

# The browser of an older version got nothing that it does not know.
old.settle('o1')
for kind in ('session_summary', 'session_patch', 'message_delta', 'chat_list', 'scheduled_send_status',
             'proxy_send_result', 'message_queued', 'native_queue', 'agent_started'):
    assert not old.has(kind), kind
done('older peers')
