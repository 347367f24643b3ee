"""A browser runtime, an agent and a task extension, from the text of contracts 1 and 5, with Python's standard library.

Usage: bridge_and_task_clients.py RELAY RUNTIME_TOKEN AGENT_TOKEN PERSON_TOKEN TASK_PATH.
Prints one line for each part that works.
"""

import json, sys, time, urllib.request
from web_socket import WebSocket

RELAY, RUNTIME, AGENT, PERSON, TASK_PATH = sys.argv[1:6]


def done(part):
    print('ok', part, flush=True)


def millis():
    return int(time.time() * 1000)


# Contract 5: an extension takes a task and tells its steps.
class Extension(WebSocket):
    def receive(self):
        frame = super().receive()
        if frame['type'] == 'ping':
            self.send(type='pong', timestamp=millis())
        return frame


extension = Extension(RELAY, TASK_PATH)
headers = {'Authorization': f'Bearer {PERSON}', 'Content-Type': 'application/json'}


def http(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(RELAY + path, data, headers, method=method), timeout=60) as answer:
        return json.load(answer)


def say(task_id, state, step, details, actor='navigator'):
    event = {'actor': actor, 'state': state, 'type': 'execution', 'timestamp': millis(),
             'data': {'taskId': task_id, 'step': step, 'maxSteps': 5, 'details': details}}
    extension.send(type='execution_event', taskId=task_id, event=event, timestamp=millis())


def state_of(task_id, *ends):
    for _ in range(600):
        task = http('GET', f'/api/tasks/{task_id}')
        if task['state'] in ends:
            return task
        time.sleep(0.1)
    raise AssertionError(task)


task_id = http('POST', '/api/tasks', {'prompt': 'Buy tea', 'metadata': {'priority': 1, 'timeout': 30_000}})['task_id']
order = extension.expect('execute_task')
assert order['taskId'] == task_id and 'Buy tea' in order['prompt'], order
extension.send(type='task_accepted', taskId=task_id, timestamp=millis())
say(task_id, 'task.start', 0, 'Starting', 'system')
for state in ['step.start', 'act.start', 'act.ok', 'step.ok']:
    say(task_id, state, 1, 'Navigating to: https://example.com')
say(task_id, 'task.ok', 5, 'The tea is bought.', 'system')
assert state_of(task_id, 'completed', 'failed')['result'] == 'The tea is bought.'
done('execute_task')

task_id = http('POST', '/api/tasks', {'prompt': 'Again'})['task_id']
extension.expect('execute_task', taskId=task_id)
extension.send(type='task_rejected', taskId=task_id, reason='No active tab found', timestamp=millis())
assert state_of(task_id, 'completed', 'failed')['state'] == 'failed'
done('task_rejected')
extension.wire.close()

# Contract 1: a runtime with a manifest, and an agent.
MAP = {'protocol': 'actions.json', 'version': 1, 'tools': [
    {'name': 'search.submit', 'description': 'Search.', 'x_actions': {'handler': 'search.submit'},
     'input_schema': {'type': 'object', 'required': ['query'], 'properties': {'query': {'type': 'string'}}}}]}
URL = 'https://example.com/search'
runtime = WebSocket(RELAY, '/ws/runtime', RUNTIME)
runtime.send(type='runtime_ready', runtime_id='runtime-abc', runtime_key='chrome-tab:123', url=URL,
             authorization_id='auth-123', extension_version='0.1.30', manifest=MAP)
agent = WebSocket(RELAY, '/ws/agent', AGENT)
ready = agent.expect('runtime_ready', runtime_id='runtime-abc')
assert ready['url'] == URL and ready['runtime_key'] == 'chrome-tab:123', ready
runtime.send(type='runtime_status', runtime_id='runtime-abc', url=URL, states=['search_page_visible'],
             attachments=[{'id': 'results', 'state': 'attached'}], observed_at='2026-06-04T16:25:00Z')
done('runtime_ready')


def ask(call_id, query='maps', **more):
    agent.send(type='action_call', call_id=call_id, name='search.submit', arguments={'query': query}, **more)


RESULT = {'ok': True, 'result': {'url': URL + '?q=maps'}}
for call_id, route in [('call-1', {}), ('call-2', {'runtime_id': 'runtime-abc'}),
                       ('call-3', {'target': {'runtime_id': 'runtime-abc'}}),
                       ('call-4', {'target_url_contains': 'example.com'}),
                       ('call-5', {'target': {'runtime_key': 'chrome-tab:123'}})]:
    ask(call_id, timeout_ms=10_000, **route)
    call = runtime.expect('action_call', call_id=call_id)
    assert (call['name'], call['arguments']) == ('search.submit', {'query': 'maps'}), call
    runtime.send(type='action_call_output', call_id=call_id, runtime_id='runtime-abc', output=RESULT)
    output = agent.expect('action_call_output', call_id=call_id)
    assert output['runtime_id'] == 'runtime-abc' and output['output'] == RESULT, output
done('action_call')

ask('call-6', runtime_id='runtime-abc')
runtime.expect('action_call', call_id='call-6')
fault = {'code': 'target_not_found', 'message': 'No form.', 'severity': 'major', 'recoverable': True,
         'evidence': {'selector': 'form'}}
runtime.send(type='action_error', call_id='call-6', runtime_id='runtime-abc', error=fault)
error = agent.expect('action_error', call_id='call-6')['error']
assert {**error, 'evidence': {'selector': error['evidence']['selector']}} == fault, error
done('action_error')

runtime.send(type='dom_event', event_id='event-123', runtime_id='runtime-abc', name='overlay.launcher_opened',
             event='actions-json:overlay-launcher-opened', url=URL, payload={'launcher_id': 'results'},
             previous_call_id='call-6', observed_at='2026-06-04T16:25:00Z')
event = agent.expect('dom_event', event_id='event-123')
assert event['payload'] == {'launcher_id': 'results'} and event['previous_call_id'] == 'call-6', event
done('dom_event')

ask('call-7', runtime_id='runtime-xyz')
assert agent.expect('action_error', call_id='call-7')['error']['code'] == 'runtime_not_found'
other = WebSocket(RELAY, '/ws/runtime', RUNTIME)
other.send(type='runtime_ready', runtime_id='runtime-def', url='https://example.com/other', manifest=MAP)
agent.expect('runtime_ready', runtime_id='runtime-def')
ask('call-8', target_url_contains='example.com')
assert agent.expect('action_error', call_id='call-8')['error']['code'] == 'ambiguous_runtime'
ask('call-9', runtime_id='runtime-abc', timeout_ms=50)
assert agent.expect('action_error', call_id='call-9')['error']['code'] == 'handler_timeout'
agent.send(type='action_call', call_id='call-10', name='search.submit', arguments='{"query":"maps"}')
assert agent.expect('action_error')['error']['code'] == 'invalid_input'
done('routing and codes')
