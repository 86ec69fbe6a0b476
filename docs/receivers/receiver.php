<?php
// Receives events with PHP alone: TRASTIENDA_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:9000 receiver.php
//
// In production it runs under PHP-FPM, behind a server that speaks TLS.

declare(strict_types=1);

// The second is there while a rotated secret is still valid: a receiver that tries both misses nothing,
// whichever of the two secrets it has. `SERVICE` is the service's setting `brand`.
const SIGNATURES = ['HTTP_X_SERVICE_SIGNATURE_256', 'HTTP_X_SERVICE_SIGNATURE_256_PREVIOUS'];
const BODY_BYTES_MAX = 1024 * 1024;

function is_genuine(string $body, string $secret): bool
{
    $expected = hash_hmac('sha256', $body, $secret);
    foreach (SIGNATURES as $name) {
        if (hash_equals($expected, $_SERVER[$name] ?? '')) {
            return true;
        }
    }
    return false;
}

// Whether the event comes for the first time: notes its id in a file. A real receiver has a table whose primary
// key is the event's id, and has committed the row before it answers.
function is_new(string $id): bool
{
    $path = getenv('TRASTIENDA_SEEN_FILE') ?: sys_get_temp_dir() . '/trastienda-seen-events.txt';
    $file = fopen($path, 'c+');
    flock($file, LOCK_EX);
    while (($line = fgets($file)) !== false) {
        if (rtrim($line) === $id) {
            fclose($file);
            return false;
        }
    }
    fwrite($file, "$id\n");
    fclose($file);
    return true;
}

function answer(int $status): void
{
    http_response_code($status);
    header('Content-Length: 0');
    header('Connection: close');
    // The answer goes out now; what follows is done without anybody waiting for it.
    ignore_user_abort(true);
    function_exists('fastcgi_finish_request') ? fastcgi_finish_request() : flush();
}

function tell(string $line): void
{
    file_put_contents('php://stdout', "$line\n");
}

function receive(): void
{
    $secret = getenv('TRASTIENDA_WEBHOOK_SECRET');
    if (!$secret) { // an empty key would let anybody sign
        answer(500);
        return;
    }
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        answer(405);
        return;
    }
    if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > BODY_BYTES_MAX) {
        answer(413);
        return;
    }
    $body = file_get_contents('php://input');
    // The raw bytes are verified before anything in them is trusted.
    if (!is_genuine($body, $secret)) {
        answer(401);
        return;
    }
    $event = json_decode($body, flags: JSON_THROW_ON_ERROR);
    if (!is_new($event->id)) {
        answer(200);
        tell("repeated $event->event $event->id");
        return;
    }
    answer(200);
    // The work: an e-mail, an entry in the books, a label for the parcel.
    tell("processed $event->event $event->id");
}

receive();
